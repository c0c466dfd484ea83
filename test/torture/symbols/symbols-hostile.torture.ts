import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMib, resetPeakMemory } from '../../harness/cpu.js';
import type { ServerProcess } from '../../harness/server-process.js';
import { sharedCorpus } from '../../runner/shared-suite.js';
import { Client } from '../../support/client.js';
import { artifactOf, SMALL_MAP, uploadSymbols } from '../../support/symbols/symbol-client.js';
import type { TortureContext, TortureRow } from '../torture.js';

export const name = 'symbols-hostile';
export const usualCount = 1;

const GENERATOR = join(sharedCorpus, 'checks/gen-bad-symbol-files.py');
const MOST_SECONDS = 30;
const MOST_MIB = 256;
/** Odd or partly broken but still usable: a valid map of empty lines, one with a prefix, a mapping with bad ranges. */
const USABLE = new Set(['map_1M_semicolons.map', 'map_xssi_prefix.map', 'proguard_bad_ranges.txt']);
/** The kind of a file by the start of its name. */
const KINDS: [RegExp, string][] = [
  [/^flutter_/, 'flutter_symbols'],
  [/^(?:zip|macho|fat)_/, 'ios_dsym'],
  [/^elf_/, 'android_ndk'],
  [/^map_/, 'js_sourcemap'],
  [/^proguard_/, 'android_mapping'],
];

interface State {
  status: string;
  failureReason: string | null;
  indexedAt: string | null;
}

/** Uploads every hostile symbol file in the corpus, each followed by a good one, and checks what becomes of both. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-hostile-'));
  try {
    if (spawnSync('python3', [GENERATOR, folder]).status !== 0)
      throw new Error('it needs python3 and the corpus of bad symbol files in ../shared beside the checkout');
    const server = await torture.startServer({ env: { LOG_LEVEL: 'error' } });
    const client = new Client(server.url).withToken((await server.firstRun()).tokens.owner);
    const good = (release: string) =>
      uploadSymbols(client, { name: 'good.js.map', bytes: SMALL_MAP }, { kind: 'js_sourcemap', release });
    await ended(client, artifactOf(await good('warm')).id);
    const rows: string[] = [];
    const faults: string[] = [];
    let slowest = 0;
    let largest = 0;
    const files = (await readdir(folder)).sort();
    for (const file of files) {
      const found = await endure(server, client, folder, file, good);
      slowest = Math.max(slowest, found.seconds);
      largest = Math.max(largest, found.mib);
      rows.push(`${file}: ${found.outcome}, ${found.seconds.toFixed(1)} s, ${found.mib.toFixed(0)} MiB`);
      if (found.isFault) faults.push(rows.at(-1) ?? '');
    }
    for (const line of rows) torture.log(line);
    return [
      {
        promise: `a hostile symbol file ends failed within ${MOST_SECONDS} s and ${MOST_MIB} MiB, and the next file is read`,
        seen: `${files.length} files, slowest ${slowest.toFixed(1)} s, largest ${largest.toFixed(0)} MiB above idle${faults.length > 0 ? `; not so: ${faults.join('; ')}` : ''}`,
        held: files.length > 0 && faults.length === 0,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function endure(
  server: ServerProcess,
  client: Client,
  folder: string,
  file: string,
  good: (release: string) => ReturnType<typeof uploadSymbols>,
): Promise<{ outcome: string; seconds: number; mib: number; isFault: boolean }> {
  const kind = KINDS.find(([begins]) => begins.test(file))?.[1] ?? '';
  const bytes = await readFile(join(folder, file));
  const idle = memoryMib(server.pid).now;
  resetPeakMemory(server.pid);
  const began = performance.now();
  const answer = await uploadSymbols(client, { name: file, bytes }, { kind, release: file });
  const next = await good(`after ${file}`);
  if (answer.status !== 201 || next.status !== 201)
    return { outcome: `answered ${answer.status} and ${next.status}`, seconds: 0, mib: 0, isFault: true };
  const state = await ended(client, artifactOf(answer).id);
  const seconds = (performance.now() - began) / 1000;
  const after = await ended(client, artifactOf(next).id);
  const mib = memoryMib(server.pid).peak - idle;
  const isRight = USABLE.has(file) ? state?.indexedAt != null : state?.status === 'failed';
  const outcome = state === null ? 'nothing came of it' : `${state.status} (${state.failureReason ?? 'read'})`;
  const isFault = !isRight || after?.indexedAt == null || seconds > MOST_SECONDS || mib > MOST_MIB;
  return { outcome, seconds, mib, isFault };
}

/** What became of an artifact, or null if nothing did in twice the time. */
async function ended(client: Client, id: string): Promise<State | null> {
  const deadline = performance.now() + MOST_SECONDS * 2_000;
  while (performance.now() < deadline) {
    const { symbolArtifacts } = await client.graphql<{ symbolArtifacts: { nodes: (State & { id: string })[] } }>(
      '{ symbolArtifacts(first: 5) { nodes { id status failureReason indexedAt } } }',
    );
    const state = symbolArtifacts.nodes.find((node) => node.id === id);
    if (state && (state.status === 'failed' || state.indexedAt !== null)) return state;
    await sleep(50);
  }
  return null;
}
