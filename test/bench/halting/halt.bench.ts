import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { haltFlagsSql } from '../../../src/modules/switch/halting/halt-flags.sql.js';
import { cpuMicrosOfTree } from '../../harness/cpu.js';
import { sendLoad } from '../../harness/load.js';
import { runPgbench } from '../../harness/pgbench.js';
import { alternate, median } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';
import { storeFlags } from './many-flags.js';

export const name = 'halt';

const FLAGS = 24_000;
const CONNECTIONS = 16;

interface Measured {
  perSecond: number;
  p99Ms: number;
  serverMicros: number;
}

/**
 * The kill switch for automation, first and repeated calls, compared with pgbench running the statement of one halt.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl, ROLE: 'api' } });
  const { project_id: projectId, organization_id: organizationId, api_keys: keys } = await server.firstRun();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  await storeFlags(pool, projectId, FLAGS);
  const request = (index: number) => ({
    path: '/api/switch/halt-webhook',
    method: 'POST',
    headers: { 'x-api-key': keys.live, 'content-type': 'application/json' },
    body: JSON.stringify({ flag_key: `bench.${index}`, reason: 'error rate', evidence_url: 'https://example.com/1' }),
  });
  const all = Array.from({ length: FLAGS }, (_, index) => request(index + 1));
  const resume = () =>
    pool.query('update flag set halted_at = null, halt_reason = null').then(() => pool.query('vacuum analyze flag'));
  const product = async (fresh: boolean): Promise<Measured> => {
    if (fresh) await resume();
    const before = cpuMicrosOfTree(server.pid);
    const count = await sendLoad({
      url: server.url,
      requests: fresh ? all : all.slice(0, 1),
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0,
      expectedStatuses: [200],
    });
    return { ...count, serverMicros: (cpuMicrosOfTree(server.pid) - before) / count.requests };
  };
  const peer = async (fresh: boolean): Promise<Measured> => {
    if (fresh) await resume();
    const order = { databaseUrl, script: script(projectId, organizationId, fresh), counters: ['i'] };
    const perSecond = await runPgbench({ ...order, clients: CONNECTIONS, seconds: bench.seconds });
    if (perSecond === null) throw new Error('pgbench is not installed');
    return { perSecond, p99Ms: 0, serverMicros: 0 };
  };
  try {
    const results = await alternate(bench.rounds, {
      first: () => product(true),
      pgbenchFirst: () => peer(true),
      repeated: () => product(false),
      pgbenchRepeated: () => peer(false),
    });
    const made = (path: string, side: 'first' | 'repeated', against: 'pgbenchFirst' | 'pgbenchRepeated') =>
      row({
        path,
        unit: 'halts/s',
        values: results[side].map(({ perSecond }) => perSecond),
        peer: { what: 'pgbench, one by one', values: results[against].map(({ perSecond }) => perSecond) },
        goal: { atLeast: 0.7 },
        more: {
          'p99 ms': median(results[side].map(({ p99Ms }) => p99Ms)),
          'server µs/op': median(results[side].map(({ serverMicros }) => serverMicros)),
        },
      });
    return [made('halt, first', 'first', 'pgbenchFirst'), made('halt, repeated', 'repeated', 'pgbenchRepeated')];
  } finally {
    await pool.end();
  }
}

/** The statement of one halt, with pgbench's variables in place of its parameters. */
function script(projectId: string, organizationId: string, fresh: boolean): string {
  const share = Math.floor(FLAGS / CONNECTIONS);
  const key = fresh ? `'bench.' || :n::text` : `'bench.1'`;
  const halt = {
    place: '1',
    project_id: `'${projectId}'`,
    environment: `'live'`,
    key,
    reason: `'error rate'`,
    version_id: 'gen_random_uuid()',
    event_id: `'evt_' || gen_random_uuid()::text`,
    organization_id: `'${organizationId}'`,
    address: `'127.0.0.1'`,
    request_id: `'${randomUUID()}'`,
    evidence_url: `'https://example.com/1'`,
    key_id: `'${randomUUID()}'`,
  };
  const fields = Object.entries(halt).flatMap(([name, value]) => [`'${name}'`, value]);
  const values = [
    `jsonb_build_array(jsonb_build_object(${fields.join(', ')}))`,
    'now()',
    `'${new Date().toISOString().slice(0, 7)}-01'`,
  ];
  // pgbench takes a colon before a letter for a variable, even in strings.
  const quoted = haltFlagsSql('').replaceAll(/'[^']*'/g, (text) =>
    text.replaceAll(/:(?=[A-Za-z])/g, "' || chr(58) || '"),
  );
  const statement = quoted.replace(/\$(\d+)/g, (_, index) => values[Number(index) - 1] as string);
  return `\\set i :i + 1\n\\set n :client_id * ${share} + :i % ${share} + 1\n${statement.replaceAll('\n', ' ')};\n`;
}
