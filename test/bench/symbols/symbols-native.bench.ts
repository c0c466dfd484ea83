import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OpenTable, openTable } from '../../../src/symbols/table/open-table.js';
import { alternate, median } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';
import { findProgram, largeDwarfFile } from './large-dwarf-file.js';
import { startSymbolizer } from './symbolizer-process.js';

export const name = 'symbols-native';

const ADDRESSES = 4000;
const CONVERSION = join(dirname(fileURLToPath(import.meta.url)), 'native-conversion.js');

interface Conversion {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rssMiB: number;
  readonly tableMiB: number;
}

/** Conversion of a large DWARF file, and lookups in its table, compared with LLVM's tools if installed. */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const file = largeDwarfFile(bench.log);
  if (!file) {
    bench.log('no C++ compiler on this machine to make a large DWARF file with');
    return [];
  }
  const megabytes = readFileSync(file).length / 1e6;
  const table = join(dirname(file), 'large.table');
  return [
    await measureConversion(bench, file, table, `conversion of a ${megabytes.toFixed(0)} MB DWARF file`),
    await measureLookups(bench, file, openTable(readFileSync(table))),
  ];
}

async function measureConversion(bench: BenchContext, file: string, table: string, path: string): Promise<BenchRow> {
  const gsymutil = findProgram('llvm-gsymutil-19', 'llvm-gsymutil');
  if (!gsymutil)
    bench.log('no llvm-gsymutil on this machine: the conversion has no peer (it comes with the package llvm-19)');
  const sides = {
    product: async (): Promise<Conversion> => {
      const printed = execFileSync(process.execPath, [CONVERSION, file, table], { encoding: 'utf8' });
      return JSON.parse(printed) as Conversion;
    },
    peer: async (): Promise<Conversion> => {
      const started = performance.now();
      if (gsymutil)
        spawnSync(gsymutil, ['--quiet', `--convert=${file}`, `--out-file=${file}.gsym`], { stdio: 'ignore' });
      return { seconds: (performance.now() - started) / 1000, cpuSeconds: 0, rssMiB: 0, tableMiB: 0 };
    },
  };
  const { product, peer } = await alternate(bench.rounds, sides);
  const measured = {
    path,
    unit: 's',
    values: product.map(({ seconds }) => seconds),
    more: {
      'CPU s': median(product.map(({ cpuSeconds }) => cpuSeconds)),
      'RSS MiB': median(product.map(({ rssMiB }) => rssMiB)),
      'table MiB': median(product.map(({ tableMiB }) => tableMiB)),
    },
  };
  if (!gsymutil) return row(measured);
  return row({
    ...measured,
    peer: { what: 'llvm-gsymutil', values: peer.map(({ seconds }) => seconds) },
    goal: { atMost: 1.0 },
  });
}

async function measureLookups(bench: BenchContext, file: string, table: OpenTable): Promise<BenchRow> {
  const addresses = knownAddresses(table);
  const program = findProgram('llvm-symbolizer-19', 'llvm-symbolizer');
  const product = async (): Promise<number> => {
    let frames = 0;
    const started = performance.now();
    let elapsed = 0;
    do {
      for (const address of addresses) frames += table.lookup(address).length;
      elapsed = performance.now() - started;
    } while (elapsed < bench.seconds * 100);
    return (frames * 1000) / elapsed;
  };
  const path = `symbolication from the stored table, ${addresses.length} addresses`;
  if (!program) {
    bench.log('no llvm-symbolizer on this machine: the look-ups have no peer (it comes with the package llvm-19)');
    const { values } = await alternate(bench.rounds, { values: product });
    return row({ path, unit: 'frames/s', values });
  }
  const symbolizer = startSymbolizer(program, file);
  try {
    const peer = async (): Promise<number> => {
      const started = performance.now();
      const frames = await symbolizer.frames(addresses);
      return (frames * 1000) / (performance.now() - started);
    };
    const measured = await alternate(bench.rounds, { product, peer });
    const what = 'llvm-symbolizer, one process';
    return row({
      path,
      unit: 'frames/s',
      values: measured.product,
      peer: { what, values: measured.peer },
      goal: { atLeast: 20 },
    });
  } finally {
    symbolizer.stop();
  }
}

/** Addresses spread over the code, the same in every run. */
function knownAddresses(table: OpenTable): number[] {
  const found: number[] = [];
  let state = 20_240_607;
  for (let tries = 0; found.length < ADDRESSES && tries < ADDRESSES * 100; tries++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const address = table.imageBase + (state % 0x2000000);
    if (table.lookup(address).some(({ line }) => line > 0)) found.push(address);
  }
  return found;
}
