import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { Cluster } from '../../harness/cluster.js';
import { machineHas } from '../../runner/machine.js';
import { Client } from '../../support/client.js';
import { createTestDatabase } from '../../support/database.js';
import { SMALL_MAP, uploadSymbols } from '../../support/symbols/symbol-client.js';
import { until } from '../../support/until.js';
import { serverErrors, Writers } from '../acknowledged-writes.js';
import { writeTarget } from '../torture-project.js';
import type { WriteTarget } from '../write-kinds.js';
import { killHolders } from './streams-failover.torture.js';

const cluster = suite<{ processes: Cluster; target: WriteTarget; database: pg.Client; close(): Promise<void> }>(
  'two API processes and a worker behind a proxy, in the quick form',
);

/** Sends one request to each of the other modules, twice, so that both processes answer it. */
async function askEveryModule({ url, token, projectId, keys }: WriteTarget): Promise<void> {
  const owner = new Client(url).withToken(token);
  const live = new Client(url).withKey(keys[0] as string);
  for (let process = 0; process < 2; process++) {
    const statuses = await Promise.all([
      live.get('/api/v1/handshake?distinct_id=user-1'),
      live.post('/ofrep/v1/evaluate/flags', { context: { targetingKey: 'user-1' } }),
      live.get('/api/pulse/surveys'),
      live.post('/api/catch/events', { platform: 'node', level: 'error', message: 'boom' }),
      uploadSymbols(owner, { name: 'app.js.map', bytes: SMALL_MAP }, { kind: 'js_sourcemap', project_id: projectId }),
    ]);
    assert.equal(
      statuses.map(({ status }) => status),
      [200, 200, 200, 200, 201],
    );
  }
}

/** A value changed through one process is soon used by the other's decisions. */
async function changeReachesTheOther(processes: Cluster, { token, keys }: WriteTarget): Promise<void> {
  const { sample } = await processes.member('api-1').firstRun();
  const owner = new Client(processes.member('api-1').url).withToken(token);
  const other = new Client(processes.member('api-2').url).withKey(keys[0] as string);
  const shown = async (): Promise<unknown> => {
    const { body } = await other.get('/api/v1/config/decision?distinct_id=user-1');
    return (body as { values: Record<string, { value: unknown }> }).values['checkout.max_items']?.value;
  };
  assert.is(await shown(), 25);
  await owner.graphql('mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }', {
    input: { id: sample.config_item_id, value: '77' },
  });
  await until('the change', async () => (await shown()) === 77);
}

cluster.before(async (context) => {
  const made = await createTestDatabase();
  const database = new pg.Client({ connectionString: made.url });
  await database.connect();
  const processes = await Cluster.start({ databaseUrl: made.url, redis: machineHas('redis-server') });
  context.close = async () => {
    await processes.close();
    await database.end();
    await made.drop();
  };
  const target = await writeTarget(processes.member('api-1'), processes.url);
  Object.assign(context, { processes, target, database });
});
cluster.after(({ close }) => close());

cluster('serves every module, and a change reaches the other process', async ({ processes, target }) => {
  await askEveryModule(target);
  await changeReachesTheOther(processes, target);
});

cluster(
  'loses no acknowledged write to a kill under load, and answers no 5xx',
  async ({ processes, target, database }) => {
    const writers = await Writers.start(target, { pauseMs: 20 });
    try {
      for (const member of ['worker', 'api-2'] as const) {
        await writers.nextOfEachKind();
        assert.is(await processes.member(member).end('SIGKILL'), 'SIGKILL');
      }
      await writers.nextOfEachKind();
    } finally {
      await writers.stop();
    }
    const findings = await writers.findings(database);
    assert.equal(findings.lost, []);
    assert.is(serverErrors(findings), 0, JSON.stringify([...findings.statuses]));
    await Promise.all([processes.startMember('worker'), processes.startMember('api-2')]);
    await until('the worker goes on where the killed one stopped', async () => (await undispatched(database)) === 0);
  },
);

if (hasChromium())
  cluster(
    'tells pages of a halt through the other process when the one holding their stream is killed',
    async ({ processes }) => {
      const rows = await killHolders({ count: 2, judgesSpeed: false }, processes);
      for (const { promise, seen, held } of rows) assert.ok(held, `${promise}: ${seen}`);
    },
  );

async function undispatched(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from event_log where dispatched_at is null',
  );
  return rows[0]?.n ?? 0;
}

cluster.run();
