import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createQuarterdeck } from '../../src/sdk/node/quarterdeck.js';
import { buildWorld } from '../support/factories/factories.js';
import { openTestApp } from '../support/test-app.js';

const x = suite('large operations of @quarterdeck/node');

x('keep the id of an event, and the traces of a crash', async () => {
  const test = await openTestApp();
  try {
    const { keys, projectId } = await buildWorld(test);
    const options = { url: test.baseUrl, key: keys.live, fetch: false, captureErrors: false, flushOnExit: false };
    const library = createQuarterdeck(options);
    const rows = 'x'.repeat(600_000);
    library.breadcrumb('import', 'begun');
    library.track('u', 'import', { rows });
    library.captureError(new Error('it broke'), { extra: { rows } });
    assert.is(await library.flush(), 0);
    await library.close();
    const { pool } = test.app;
    const ids = await pool.query('select 1 from ingest_insert_id where project_id = $1', [projectId]);
    assert.is(ids.rows.length, 1);
    const crashes = await pool.query(
      "select payload->'breadcrumbs'->0->>'message' as trace from crash_event where project_id = $1",
      [projectId],
    );
    assert.equal(crashes.rows, [{ trace: 'begun' }]);
  } finally {
    await test.close();
  }
});

x.run();
