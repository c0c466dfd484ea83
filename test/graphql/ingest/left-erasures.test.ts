import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld } from '../../support/factories/factories.js';
import { openTestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = suite('erasure of a person whose job is gone');

x('is taken up again at night, a day after the deletion', async () => {
  const test = await openTestApp({ worker: true });
  try {
    const { live, projectId } = await buildWorld(test);
    const { pool, modules } = test.app;
    const event = { event_id: randomUUID(), platform: 'python', message: 'boom', distinct_id: 'gone' };
    assert.is((await live.post('/api/catch/events', { events: [event] })).status, 200);
    await pool.query(
      `insert into person_erasure (id, project_id, environment, distinct_ids, created_at) values ($1, $2, 'live', '{gone}', $3)`,
      [randomUUID(), projectId, test.clock.now()],
    );
    const isErased = async () => (await pool.query('select from person_erasure')).rowCount === 0;
    const atNight = async () => {
      const handlers = modules.flatMap(({ jobHandlers }) => jobHandlers?.['ingest.keep_partitions'] ?? []);
      for (const handler of handlers) await handler({}, AbortSignal.timeout(60_000));
    };
    await atNight();
    const { rows } = await pool.query("select from pgboss.job where name = 'ingest.erase_person'");
    assert.equal(rows, [], 'its own job may still be on it');
    await pool.query("update person_erasure set created_at = created_at - interval '25 hours'");
    await atNight();
    await until('a job has finished it', isErased);
    const left = await pool.query("select from crash_event where distinct_id = 'gone'");
    assert.is(left.rowCount, 0);
  } finally {
    await test.close();
  }
});

x.run();
