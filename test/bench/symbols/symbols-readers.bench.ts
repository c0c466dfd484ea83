import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FlattenMap, traceSegment } from '@jridgewell/trace-mapping';
import { openMapping } from '../../../src/symbols/retrace/mapping.js';
import { NO_CONTEXT, retraceFrame } from '../../../src/symbols/retrace/retrace-frame.js';
import { openSourceMap } from '../../../src/symbols/source-map/source-map-table.js';
import { alternate, median } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, type Goal, row } from '../bench.js';
import { residualClass, writeLargeMapping, writeLargeSourceMap } from './large-symbol-files.js';

export const name = 'symbols-readers';

const READER = join(dirname(fileURLToPath(import.meta.url)), 'reader-process.js');
/** Number of locations that lookups are spread over. */
const PLACES = 20_000;

interface Reading {
  seconds: number;
  cpuSeconds: number;
  rssMiB: number;
}

/**
 * Conversion of a large source map and a large mapping, compared with readers that build no table, and lookups in the
 * tables.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-bench-'));
  try {
    return [...(await sourceMapRows(bench, folder)), ...(await mappingRows(bench, folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sourceMapRows(bench: BenchContext, folder: string): Promise<BenchRow[]> {
  const file = join(folder, 'bundle.js.map');
  const megabytes = (writeLargeSourceMap(file) / 1e6).toFixed(0);
  const table = join(folder, 'map.table');
  const conversion = await measureReading(bench, `conversion of a ${megabytes} MB source map`, {
    product: () => read('convert-source-map', file, table),
    peer: { what: "trace-mapping's first look-up, which checks nothing", read: () => read('trace-mapping', file) },
    goal: { atMost: 1.2 },
  });
  const stored = openSourceMap(readFileSync(table));
  const map = FlattenMap(JSON.parse(readFileSync(file, 'utf8')), '');
  const sides = {
    product: () => lookups(bench, (index) => stored.lookup((index * 7) % 1_800, (index * 131) % 12_000)),
    peer: () => lookups(bench, (index) => traceSegment(map, (index * 7) % 1_800, (index * 131) % 12_000)),
  };
  const { product, peer } = await alternate(bench.rounds, sides);
  const path = 'look-ups in a stored source map';
  return [
    conversion,
    row({
      path,
      unit: 'positions/s',
      values: product,
      peer: { what: 'trace-mapping, everything decoded', values: peer },
    }),
  ];
}

async function mappingRows(bench: BenchContext, folder: string): Promise<BenchRow[]> {
  const file = join(folder, 'mapping.txt');
  const megabytes = (writeLargeMapping(file) / 1e6).toFixed(0);
  const table = join(folder, 'mapping.table');
  const conversion = await measureReading(bench, `conversion of a ${megabytes} MB R8 mapping`, {
    product: () => read('index-mapping', file, table),
    peer: { what: 'a full parse of it', read: () => read('parse-mapping', file) },
    goal: { atMost: 0.4 },
  });
  const bytes = readFileSync(table);
  const crash = (mapping: ReturnType<typeof openMapping>, classes: number) => (index: number) =>
    retraceFrame(
      mapping,
      { className: residualClass(index % classes), method: '0', sourceFile: 'SourceFile', line: 1 },
      NO_CONTEXT,
    );
  const warm = openMapping(bytes);
  const { known, fresh } = await alternate(bench.rounds, {
    known: () => lookups(bench, crash(warm, 500)),
    fresh: () => lookups(bench, crash(openMapping(bytes), 25_000)),
  });
  return [
    conversion,
    row({ path: 'retracing by a stored mapping, 500 classes', unit: 'frames/s', values: known }),
    row({ path: 'retracing by a stored mapping, 25,000 classes', unit: 'frames/s', values: fresh }),
  ];
}

async function measureReading(
  bench: BenchContext,
  path: string,
  sides: { product: () => Reading; peer: { what: string; read: () => Reading }; goal: Goal },
): Promise<BenchRow> {
  const { product, peer } = await alternate(bench.rounds, {
    product: async () => sides.product(),
    peer: async () => sides.peer.read(),
  });
  return row({
    path,
    unit: 's',
    values: product.map(({ seconds }) => seconds),
    peer: { what: sides.peer.what, values: peer.map(({ seconds }) => seconds) },
    goal: sides.goal,
    more: {
      'CPU s': median(product.map(({ cpuSeconds }) => cpuSeconds)),
      'peer CPU s': median(peer.map(({ cpuSeconds }) => cpuSeconds)),
      'RSS MiB': median(product.map(({ rssMiB }) => rssMiB)),
      'peer RSS MiB': median(peer.map(({ rssMiB }) => rssMiB)),
    },
  });
}

function read(reader: string, ...files: string[]): Reading {
  return JSON.parse(execFileSync(process.execPath, [READER, reader, ...files], { encoding: 'utf8' })) as Reading;
}

/** Lookups per second. A lookup that finds nothing counts, but at least half must find something. */
async function lookups(bench: BenchContext, look: (index: number) => unknown): Promise<number> {
  let done = 0;
  let found = 0;
  let elapsed = 0;
  const started = performance.now();
  do {
    for (let index = 0; index < PLACES; index++) if (look(index) !== null) found += 1;
    done += PLACES;
    elapsed = performance.now() - started;
  } while (elapsed < bench.seconds * 1000);
  if (found * 2 < done) throw new Error(`only ${found} of ${done} look-ups found something`);
  return (done * 1000) / elapsed;
}
