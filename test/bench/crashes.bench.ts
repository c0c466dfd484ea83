import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { cpuMicrosOfTree } from '../harness/cpu.js';
import { median } from '../harness/rounds.js';
import { Client } from '../support/client.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { type BenchContext, type BenchRow, row } from './bench.js';
import { findProgram } from './symbols/large-dwarf-file.js';
import { startSymbolizer } from './symbols/symbolizer-process.js';

export const name = 'crashes';

const EVENTS = 4_000;
const EVENTS_A_REQUEST = 500;
const FRAMES = 20;
/** Distinct crashes; each becomes an issue. */
const CAUSES = 40;
/** Systems load libraries at a different address in every process. */
const baseOf = (process: number): number => 0x7000_0000 + process * 0x1000;
const BUILT = join(process.cwd(), 'test', 'fixtures', 'symbols', 'native', 'built');

interface Answers {
  slices: [{ debugId: string; addresses: { address: string }[] }];
}

/** Chooses which of the given number of addresses a frame of an event has. */
type Choice = (event: number, frame: number, addresses: number) => number;

/** How much the events have in common decides how many of their frames are stored only once. */
const CASES: { what: string; choose: Choice }[] = [
  { what: `${CAUSES} causes`, choose: (event, frame, of) => ((event % CAUSES) * FRAMES + frame) % of },
  {
    what: 'each with addresses of its own',
    choose: (event, frame, of) => (Math.imul(event * FRAMES + frame, 2_654_435_761) >>> 0) % of,
  },
];

/** Crash events: from the first request until the last event is in its issue with all its frames. */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  const { tokens, api_keys: keys, project_id: projectId } = await server.firstRun();
  const [owner, sdk] = [new Client(server.url).withToken(tokens.owner), new Client(server.url).withKey(keys.live)];
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const until = async (what: string, sql: string, values: string[] = []): Promise<void> => {
    for (const began = performance.now(); ; await sleep(20)) {
      if ((await database.query<{ holds: boolean }>(sql, values)).rows[0]?.holds) return;
      if (performance.now() - began > 300_000) throw new Error(`${what} in five minutes`);
    }
  };
  const bytes = gunzipSync(readFileSync(join(BUILT, 'market-gcc.so.gz')));
  const [{ debugId, addresses }] = (
    JSON.parse(gunzipSync(readFileSync(join(BUILT, 'market-gcc.so.answers.json.gz'))).toString()) as Answers
  ).slices;
  const addressOf = (choose: Choice, event: number, frame: number): number =>
    Number(addresses[choose(event, frame, addresses.length)]?.address);
  artifactOf(await uploadSymbols(owner, { name: 'libmarket.so', bytes }, { kind: 'android_ndk' }));
  await until('the symbols were not converted', 'select exists (select from symbol_table) as holds');
  const crash = (at: number, choose: Choice) => ({
    event_id: randomUUID(),
    platform: 'linux',
    exception: {
      type: 'SIGSEGV',
      frames: Array.from({ length: FRAMES }, (_, frame) => ({
        address: `0x${(baseOf(at) + addressOf(choose, at, frame)).toString(16)}`,
      })),
    },
    debug_images: [
      {
        type: 'elf',
        debug_id: debugId,
        code_file: 'libmarket.so',
        image_addr: `0x${baseOf(at).toString(16)}`,
        image_size: 1 << 28,
        arch: 'x86_64',
      },
    ],
  });
  const measure = async (choose: Choice): Promise<{ perSecond: number; micros: [number, number] }> => {
    const events = Array.from({ length: EVENTS }, (_, at) => crash(at, choose));
    const cpu = () => [server.pid, bench.databasePid].map(cpuMicrosOfTree) as [number, number];
    const [before, began] = [cpu(), performance.now()];
    for (let from = 0; from < EVENTS; from += EVENTS_A_REQUEST) {
      const { status, text } = await sdk.post('/api/catch/events', {
        events: events.slice(from, from + EVENTS_A_REQUEST),
      });
      if (status !== 200) throw new Error(`crash events were answered ${status}: ${text}`);
    }
    await until(
      'not all events were symbolicated',
      `select not exists (
         select from crash_event where project_id = $1 and environment = 'live' and status = 'pending') as holds`,
      [projectId],
    );
    const [seconds, after] = [(performance.now() - began) / 1000, cpu()];
    return {
      perSecond: EVENTS / seconds,
      micros: [(after[0] - before[0]) / EVENTS, (after[1] - before[1]) / EVENTS],
    };
  };
  const rows: BenchRow[] = [];
  try {
    // The first events load the table.
    await measure((CASES[0] as (typeof CASES)[number]).choose);
    for (const { what, choose } of CASES) {
      const measured: Awaited<ReturnType<typeof measure>>[] = [];
      for (let round = 0; round < bench.rounds; round += 1) measured.push(await measure(choose));
      const peer = await symbolizerEvents(bench, bytes, (event, frame) => addressOf(choose, event, frame));
      rows.push(
        row({
          path: `crash events of ${FRAMES} native frames, ${what}, taken, symbolicated and stored`,
          unit: 'events/s',
          values: measured.map(({ perSecond }) => perSecond),
          goal: { atLeast: 2_000 },
          more: {
            'server µs/op': median(measured.map(({ micros }) => micros[0])),
            'database µs/op': median(measured.map(({ micros }) => micros[1])),
            ...(peer === null ? {} : { 'llvm-symbolizer alone, events/s': peer }),
          },
        }),
      );
    }
    const { rows: statuses } = await database.query<{ status: string; count: string }>(
      'select status, count(*) from crash_event group by 1',
    );
    bench.log(JSON.stringify(statuses));
  } finally {
    await database.end();
  }
  return rows;
}

/** The same frames through a symbolizer over a pipe, which receives no events and stores none. */
async function symbolizerEvents(
  bench: BenchContext,
  bytes: Buffer,
  addressOf: (event: number, frame: number) => number,
): Promise<number | null> {
  const program = findProgram('llvm-symbolizer-19', 'llvm-symbolizer');
  if (!program) {
    bench.log('no llvm-symbolizer on this machine: crash events have no peer (it comes with the package llvm-19)');
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-bench-'));
  const file = join(folder, 'libmarket.so');
  await writeFile(file, bytes);
  const symbolizer = startSymbolizer(program, file);
  try {
    // The first address loads the file.
    await symbolizer.frames([addressOf(0, 0)]);
    const wanted = Array.from({ length: EVENTS * FRAMES }, (_, at) => addressOf(Math.floor(at / FRAMES), at % FRAMES));
    const began = performance.now();
    for (let from = 0; from < wanted.length; from += FRAMES) await symbolizer.frames(wanted.slice(from, from + FRAMES));
    return (EVENTS * 1000) / (performance.now() - began);
  } finally {
    symbolizer.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
