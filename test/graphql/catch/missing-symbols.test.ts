import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { copyRows, rowsRead } from '../../harness/many-rows.js';
import { buildWorld } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { recordReads } from '../../support/statements.js';
import { until } from '../../support/until.js';

const missing = appSuite('missing symbols', { worker: true });

const MANY = 20_000;
const QUERY = 'query($p: ID!) { missingSymbols(projectId: $p) { kind key events } }';

missing('are found without reading events that lack none', async ({ test }) => {
  const world = await buildWorld(test);
  const settle = async (events: object[]) => {
    const sent = events.map((event) => ({ event_id: randomUUID(), ...event }));
    assert.is((await world.live.post('/api/catch/events', { events: sent })).status, 200);
    await until('no event waits', async () => {
      const waiting = await test.app.pool.query(`select from crash_event where status = 'pending'`);
      return waiting.rowCount === 0;
    });
  };
  await settle([{ platform: 'python', exception: { type: 'E', frames: [{ function: 'f', file: 'a.py', line: 1 }] } }]);
  await copyRows(test.app.pool, world.projectId, MANY, ['crash_event']);
  const java = [{ module: 'a.b', function: 'a', file: 'SourceFile', line: 1 }];
  await settle([{ platform: 'android', release: '2.0', exception: { type: 'E', frames: java } }]);
  const { statements } = await recordReads(() => world.owner.client.graphql(QUERY, { p: world.projectId }));
  const asked = statements.filter(({ text }) => text.includes('crash_missing') || text.includes('crash_event'));
  assert.ok(asked.length > 0);
  for (const statement of asked) {
    const read = await rowsRead(test.app.pool, statement);
    assert.ok(read <= 1, `${read} rows: ${statement.text}`);
  }
  const { missingSymbols } = await world.owner.client.graphql<{ missingSymbols: object[] }>(QUERY, {
    p: world.projectId,
  });
  assert.equal(missingSymbols, [{ kind: 'android_mapping', key: '2.0', events: 1 }]);
});

missing.run();
