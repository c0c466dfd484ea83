import { createServer } from 'node:http';
import { cpuMicrosOfTree } from '../harness/cpu.js';
import { fillProject, makeKeys } from '../harness/decision-project.js';
import { type LoadRequest, sendLoad } from '../harness/load.js';
import { alternate, median } from '../harness/rounds.js';
import type { ServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'tracing';

/**
 * A key is limited to 500 requests a minute, so each measurement uses this many keys and reuses them only after a
 * minute.
 */
const KEYS = 250;
const KEY_POOLS = 12;
const CONNECTIONS = 32;
/** Unmeasured rounds: a new process compiles its hot code for some ten seconds, and the plain one made the keys. */
const WARM_UP_ROUNDS = 4;

/**
 * Two busy paths of a server that traces a tenth of its requests, compared with one without tracing on the same
 * database.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  let exported = 0;
  const collector = createServer((request, response) => {
    exported += 1;
    request.resume().once('end', () => response.end('{}'));
  });
  const endpoint = await openLocally(collector);
  const env = { DATABASE_URL: await bench.createDatabase(), JWT_SECRET: 'one secret for both servers of this bench' };
  const plain = await bench.startServer({ env });
  const traced = await bench.startServer({
    env: {
      ...env,
      FIRST_RUN: 'off',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
  });
  const { project_id: projectId, tokens } = await plain.firstRun();
  const owner = new Client(plain.url).withToken(tokens.owner);
  await fillProject(owner, projectId, 5);
  bench.log(`making ${KEYS * KEY_POOLS} keys`);
  const keys = await makeKeys(owner, projectId, KEYS * KEY_POOLS);
  const path = '/api/v1/handshake?distinct_id=user-7&app_version=2.4.0&platform=ios';
  const etag = (await new Client(plain.url).withKey(keys[0] as string).get(path)).headers.get('etag') ?? '';
  const handshake = (key: string): LoadRequest => ({ path, headers: { 'x-api-key': key, 'if-none-match': etag } });
  const operation = { type: 'track', payload: { event_name: 'opened', distinct_id: 'user-7', properties: { at: 1 } } };
  const batch = (key: string): LoadRequest => ({
    path: '/api/v1/batch',
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ operations: [operation] }),
  });
  let pool = 0;
  const measure = (server: ServerProcess, ask: (key: string) => LoadRequest, expected: number) => async () => {
    pool = (pool + 1) % KEY_POOLS;
    const before = cpuMicrosOfTree(server.pid);
    const count = await sendLoad({
      url: server.url,
      requests: keys.slice(pool * KEYS, (pool + 1) * KEYS).map(ask),
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0,
      expectedStatuses: [expected],
    });
    return { ...count, serverMicros: (cpuMicrosOfTree(server.pid) - before) / count.requests };
  };
  try {
    const sides = {
      handshake: measure(traced, handshake, 304),
      plainHandshake: measure(plain, handshake, 304),
      batch: measure(traced, batch, 200),
      plainBatch: measure(plain, batch, 200),
    };
    await alternate(WARM_UP_ROUNDS - 1, sides);
    const results = await alternate(bench.rounds, sides);
    if (exported === 0) throw new Error('the server that traces has exported nothing');
    const made = (what: string, side: 'handshake' | 'batch', against: 'plainHandshake' | 'plainBatch') =>
      row({
        path: `${what}, a tenth of the requests traced`,
        unit: 'requests/s',
        values: results[side].map(({ perSecond }) => perSecond),
        peer: { what: 'without tracing', values: results[against].map(({ perSecond }) => perSecond) },
        goal: { atLeast: 0.8 },
        more: {
          'p99 ms': median(results[side].map(({ p99Ms }) => p99Ms)),
          'server µs/op': median(results[side].map(({ serverMicros }) => serverMicros)),
          'µs/op without': median(results[against].map(({ serverMicros }) => serverMicros)),
        },
      });
    return [
      made('handshake 304', 'handshake', 'plainHandshake'),
      made('batch, 1 operation, durable', 'batch', 'plainBatch'),
    ];
  } finally {
    collector.close();
    collector.closeAllConnections();
  }
}
