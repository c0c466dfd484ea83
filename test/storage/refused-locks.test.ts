import * as assert from 'uvu/assert';
import { WorkerPresence } from '../../src/modules/webhooks/delivery/worker-presence.js';
import { SingletonLock } from '../../src/storage/embedded/singleton-lock.js';
import { appSuite } from '../support/factories/world-suite.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const NAME = 'refused lock';

const x = appSuite<{ url: string }>('a lock that the database refuses');

x.before(async (context) => {
  const url = new URL(context.test.databaseUrl);
  url.searchParams.set('application_name', NAME);
  context.url = url.href;
});

/** Waits until no connection of the locks is open. */
async function noneLeft({ app }: TestApp): Promise<void> {
  await until('the end of the connections', async () => {
    const { rowCount } = await app.pool.query('select from pg_stat_activity where application_name = $1', [NAME]);
    return rowCount === 0;
  });
}

const failed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );

x('leaves no delivery worker’s connection open, and is acquired once that is possible', async ({ test, url }) => {
  await test.app.pool.query(
    `create function refuse_worker() returns trigger language plpgsql as $$ begin raise 'read only'; end $$;
     create trigger refuse_worker before insert on webhook_worker for each row execute function refuse_worker()`,
  );
  const presence = new WorkerPresence(url, () => {});
  for (let attempt = 0; attempt < 3; attempt++) assert.ok(await failed(presence.join()));
  assert.not.ok(presence.isHeld);
  await noneLeft(test);
  await test.app.pool.query('drop function refuse_worker cascade');
  await presence.join();
  assert.ok(presence.isHeld);
  await presence.leave();
  await noneLeft(test);
});

x('leaves no singleton’s connection open', async ({ test, url }) => {
  // A lock key cannot be a fraction.
  const lock = new SingletonLock(url, 0.5);
  assert.ok(await failed(lock.acquire()));
  assert.not.ok(lock.isHeld);
  await noneLeft(test);
});

x.run();
