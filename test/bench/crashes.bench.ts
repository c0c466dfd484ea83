import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { cpuMicrosOfTree } from '../harness/cpu.js';
import { median } from '../harness/rounds.js';
import { Client } from '../support/client.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'crashes';

const EVENTS = 4_000;
const EVENTS_A_REQUEST = 500;
const FRAMES = 20;
/** Different crashes, each an issue. */
const CAUSES = 40;
/** Systems load libraries at another address in every process. */
const baseOf = (process: number): number => 0x7000_0000 + process * 0x1000;
const BUILT = join(process.cwd(), 'test', 'fixtures', 'symbols', 'native', 'built');

interface Answers {
  slices: [{ debugId: string; addresses: { address: string }[] }];
}

/** Crash events as the product takes them: from the first request until the last event stands in its issue with all its frames. */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  const { tokens, api_keys: keys } = await server.firstRun();
  const [owner, sdk] = [new Client(server.url).withToken(tokens.owner), new Client(server.url).withKey(keys.live)];
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const until = async (what: string, sql: string): Promise<void> => {
    for (const began = performance.now(); ; await sleep(20)) {
      if ((await database.query<{ holds: boolean }>(sql)).rows[0]?.holds) return;
      if (performance.now() - began > 300_000) throw new Error(`${what} in five minutes`);
    }
  };
  const bytes = gunzipSync(readFileSync(join(BUILT, 'market-gcc.so.gz')));
  const [{ debugId, addresses }] = (
    JSON.parse(gunzipSync(readFileSync(join(BUILT, 'market-gcc.so.answers.json.gz'))).toString()) as Answers
  ).slices;
  artifactOf(await uploadSymbols(owner, { name: 'libmarket.so', bytes }, { kind: 'android_ndk' }));
  await until('the symbols were not converted', 'select exists (select from symbol_table) as holds');
  const crash = (at: number) => ({
    event_id: randomUUID(),
    platform: 'linux',
    exception: {
      type: 'SIGSEGV',
      frames: Array.from({ length: FRAMES }, (_, frame) => {
        const { address } = addresses[((at % CAUSES) * FRAMES + frame) % addresses.length] as { address: string };
        return { address: `0x${(baseOf(at) + Number(address)).toString(16)}` };
      }),
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
  const measured: { perSecond: number; serverMicros: number; databaseMicros: number }[] = [];
  try {
    for (let round = 0; round <= bench.rounds; round += 1) {
      const events = Array.from({ length: EVENTS }, (_, at) => crash(at));
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
        `select not exists (select from crash_event where status = 'pending') as holds`,
      );
      const [seconds, after] = [(performance.now() - began) / 1000, cpu()];
      // The first round opens the table.
      if (round === 0) continue;
      const [serverMicros, databaseMicros] = after.map((micros, at) => (micros - (before[at] as number)) / EVENTS) as [
        number,
        number,
      ];
      measured.push({ perSecond: EVENTS / seconds, serverMicros, databaseMicros });
    }
    const { rows } = await database.query<{ status: string; count: string }>(
      'select status, count(*) from crash_event group by 1',
    );
    bench.log(JSON.stringify(rows));
  } finally {
    await database.end();
  }
  return [
    row({
      path: `crash events of ${FRAMES} native frames, ${CAUSES} causes, taken, symbolicated and stored`,
      unit: 'events/s',
      values: measured.map(({ perSecond }) => perSecond),
      goal: { atLeast: 2_000 },
      more: {
        'server µs/op': median(measured.map(({ serverMicros }) => serverMicros)),
        'database µs/op': median(measured.map(({ databaseMicros }) => databaseMicros)),
      },
    }),
  ];
}
