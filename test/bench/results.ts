import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, verdictOf } from './bench.js';

/** One run, as saved in bench-results/. */
export interface BenchRun {
  at: string;
  machine: { cpu: string; cores: number; memoryGib: number; arch: string; node: string };
  rounds: number;
  seconds: number;
  rows: Record<string, BenchRow[]>;
  failures: Record<string, string>;
}

/** A new run without rows, with the machine it is made on. */
export function newRun(rounds: number, seconds: number): BenchRun {
  const processors = cpus();
  return {
    at: new Date().toISOString(),
    machine: {
      cpu: processors[0]?.model ?? 'unknown',
      cores: processors.length,
      memoryGib: Math.round(totalmem() / 2 ** 30),
      arch: arch(),
      node: process.version,
    },
    rounds,
    seconds,
    rows: {},
    failures: {},
  };
}

/** Saves a run in a folder and returns the file. */
export function saveRun(folder: string, run: BenchRun): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${run.at.replaceAll(':', '-').replace(/\..*$/, '')}.json`);
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
  return file;
}

export function readRun(file: string): BenchRun {
  return JSON.parse(readFileSync(file, 'utf8')) as BenchRun;
}

/** The rows of one bench as a Markdown table for docs/performance.md. */
export function tableOf(rows: readonly BenchRow[]): string {
  const lines = rows.map((row) => {
    const peer = row.peer ? `${figure(row.peer.value)} (${row.peer.what})` : '';
    const ratio = row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}${rangeText(row)}`;
    const more = Object.entries(row.more ?? {}).map(([name, value]) => `${name} ${figure(value)}`);
    const own = `${figure(row.value)} ${row.unit} ±${Math.round(row.spread * 50)} %`;
    return [row.path, own, peer, ratio, goalText(row), more.join(', ')];
  });
  const table = [
    ['path', 'measured', 'limit or peer', 'ratio', 'goal', 'more'],
    ['---', '---', '---', '---', '---', '---'],
    ...lines,
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const HEADING = /^\*\*(.+)\*\*$/m;

/**
 * The tables of docs/performance.md, with those of a run replacing the earlier ones of the same benches. Each says on
 * which day and machine it was measured, because the benches on the page may come from different runs.
 */
export function withRun(before: string, { at, machine, rounds, seconds, rows }: BenchRun): string {
  const [, ...parts] = before.split(HEADING);
  const tables = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2)
    tables.set(parts[index] as string, (parts[index + 1] as string).trim());
  const place = `${machine.cores} × ${machine.cpu}, ${machine.memoryGib} GiB, Node ${machine.node}`;
  const source = `${at.slice(0, 10)}, ${place}; medians of ${rounds} rounds of ${seconds} s.`;
  for (const [bench, measured] of Object.entries(rows)) tables.set(bench, `${source}\n\n${tableOf(measured)}`);
  return [...tables].map(([bench, table]) => `**${bench}**\n\n${table}`).join('\n\n');
}

/** Compares two runs: the change in each row's ratio, or in its value if it has no peer. */
export function compareRuns(before: BenchRun, after: BenchRun): string {
  const lines: string[] = [];
  for (const [bench, rows] of Object.entries(after.rows)) {
    for (const row of rows) {
      const earlier = before.rows[bench]?.find(({ path }) => path === row.path);
      const [was, is] = [earlier?.ratio ?? earlier?.value, row.ratio ?? row.value];
      const change = was === undefined ? 'new' : `${is >= was ? '+' : ''}${(((is - was) / was) * 100).toFixed(1)} %`;
      const noise = Math.round(Math.max(row.spread, earlier?.spread ?? 0) * 50);
      lines.push(
        `| ${bench} | ${row.path} | ${was === undefined ? '' : figure(was)} | ${figure(is)} | ${change} | ±${noise} % |`,
      );
    }
  }
  return ['| bench | path | before | after | change | noise |', '| --- | --- | --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}

const MARKS = { reached: '✓', missed: '✘', unclear: '≈' } as const;

const rangeText = ({ range }: BenchRow): string => (range ? ` (${range[0].toFixed(2)}–${range[1].toFixed(2)})` : '');

function goalText(row: BenchRow): string {
  const { atLeast, atMost } = row.goal ?? {};
  const bounds = [
    atLeast === undefined ? '' : `≥ ${figure(atLeast)}`,
    atMost === undefined ? '' : `≤ ${figure(atMost)}`,
  ];
  const text = bounds.filter(Boolean).join(', ');
  return text === '' ? '' : `${text} ${MARKS[verdictOf(row) ?? 'unclear']}`;
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}
