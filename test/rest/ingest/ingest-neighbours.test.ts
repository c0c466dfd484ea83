import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { buildProject, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

/** More than is stored from memory. */
const LARGE = 1_500_000;
/** Shorter than any wait for someone else's client or lock that lasts until it is given up. */
const SOON_MS = 5_000;

const neighbours = worldSuite('ingestion beside a project that is slow');

/** A batch whose end the client sends when told to. */
function sendSlowly(test: TestApp, key: string, operations: readonly object[]): { end(): Promise<number> } {
  const text = JSON.stringify({ operations });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const slow: ClientRequest = request(`${test.baseUrl}/api/v1/batch`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  });
  slow.on('response', resolve).on('error', reject);
  slow.write(text.slice(0, -20));
  return {
    end: async () => {
      slow.end(text.slice(-20));
      const answer = await promise;
      answer.resume();
      return answer.statusCode ?? 0;
    },
  };
}

const track = (id: string, distinctId = 'u', properties: object = {}) => ({
  type: 'track',
  payload: { event_name: 'e', distinct_id: distinctId, insert_id: id, properties },
});

const trackOf = async ({ live }: World, id: string): Promise<number> =>
  (await live.post('/api/v1/track', track(id).payload)).status;

const inTime = <T>(what: string, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    sleep(SOON_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${what} is not there`);
    }),
  ]);

const open = async (test: TestApp): Promise<number> => {
  const { rows } = await test.app.pool.query<{ open: number }>(
    `select count(*)::int as open from pg_stat_activity
      where datname = current_database() and application_name = 'quarterdeck ingestion' and xact_start is not null`,
  );
  return rows[0]?.open ?? 0;
};

neighbours('no transaction waits for a client, and what it has sent delays nobody', async ({ test, world }) => {
  const [slow, other] = [await buildProject(world), await buildProject(world)];
  const filler = Array.from({ length: 4 }, (_, at) => track(`filler ${at}`, 'slow', { long: 'x'.repeat(LARGE) }));
  const sending = sendSlowly(test, slow.keys.live, [track('same', 'slow'), ...filler]);
  await until('the slow batch is being stored', async () => (await open(test)) > 0);
  await until('the slow batch is left to arrive', async () => (await open(test)) === 0);
  const answers = Promise.all([trackOf(slow, 'same'), trackOf(other, 'same'), trackOf(other, 'another')]);
  assert.equal(await inTime('an answer beside a slow client', answers), [200, 200, 200]);
  assert.is(await sending.end(), 200);
  const { rows } = await test.app.pool.query(
    'select distinct_id as id, count(*)::int as events from event where project_id = $1 group by 1 order by 1',
    [slow.projectId],
  );
  assert.equal(rows, [
    { id: 'slow', events: 4 },
    { id: 'u', events: 1 },
  ]);
});

neighbours('many slow clients leave room for a quick one', async ({ test, world }) => {
  const body = [track('a', 'u', { long: 'x'.repeat(LARGE) })];
  const projects = [];
  for (let count = 0; count < 4; count++) projects.push(await buildProject(world));
  const [quick, ...slow] = projects as [World, ...World[]];
  const sending = slow.map(({ keys }) => sendSlowly(test, keys.live, body));
  await until(
    'the quick one is taken',
    async () => (await quick.live.post('/api/v1/batch', { operations: body })).status === 200,
  );
  for (const one of sending) assert.is(await one.end(), 200);
});

neighbours("a project's locks delay only its own requests", async ({ test, world }) => {
  const [locked, other] = [await buildProject(world), await buildProject(world)];
  const changeOf = async ({ live }: World): Promise<number> =>
    (await live.post('/api/v1/people', { distinct_id: 'p', properties: { n: 1 } })).status;
  const lock = await test.app.pool.connect();
  try {
    await lock.query('begin');
    await lock.query('select pg_advisory_xact_lock(hashtextextended($1, 3))', [`${locked.projectId} live`]);
    const held = Promise.all([changeOf(locked), changeOf(locked), changeOf(locked)]);
    held.catch(() => undefined);
    for (let round = 0; round < 3; round++) {
      const answers = Promise.all([changeOf(other), trackOf(other, `o${round}`), trackOf(locked, `l${round}`)]);
      assert.equal(await inTime('an answer beside a lock', answers), [200, 200, 200]);
    }
    await lock.query('commit');
    assert.equal(await held, [200, 200, 200]);
    assert.is(await changeOf(locked), 200);
  } finally {
    await lock.query('rollback');
    lock.release();
  }
});

neighbours(
  'many requests of a project wait together for its lock, alongside its own import',
  async ({ test, world }) => {
    const project = await buildProject(world);
    const person = (id: string) => ({ distinct_id: id, properties: { n: 1 } });
    const changeOf = async (id: string): Promise<number> =>
      (await project.live.post('/api/v1/people', person(id))).status;
    const operations = [
      { type: 'people', payload: person('imported') },
      ...Array.from({ length: 4 }, (_, at) => track(`i${at}`, 'u', { long: 'x'.repeat(LARGE) })),
    ];
    const lock = await test.app.pool.connect();
    try {
      await lock.query('begin');
      await lock.query('select pg_advisory_xact_lock(hashtextextended($1, 3))', [`${project.projectId} live`]);
      const imported = project.live.post('/api/v1/batch', { operations }).then(({ status }) => status);
      await until('the import is being stored', async () => (await open(test)) > 0);
      const changes = Promise.all(Array.from({ length: 300 }, (_, at) => changeOf(`p${at}`)));
      // Longer than the wait for a slot for a large body.
      await sleep(6_000);
      await lock.query('commit');
      assert.equal(new Set(await changes), new Set([200]));
      assert.is(await imported, 200);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
  },
);

neighbours(
  "a project's locks are waited for once beside other projects, whatever else is wrong",
  async ({ test, world }) => {
    const [first, locked, other] = [await buildProject(world), await buildProject(world), await buildProject(world)];
    const changeOf = async ({ live }: World, id = 'p'): Promise<number> =>
      (await live.post('/api/v1/people', { distinct_id: id, properties: { n: 1 } })).status;
    const repeated = async (): Promise<number> => {
      const operations = [{ type: 'people', payload: { distinct_id: 'p', properties: {} } }];
      return (await locked.live.post('/api/v1/batch', { operations }, { 'idempotency-key': 'again' })).status;
    };
    const lock = await test.app.pool.connect();
    try {
      await lock.query('begin');
      for (const { projectId } of [first, locked])
        await lock.query('select pg_advisory_xact_lock(hashtextextended($1, 3))', [`${projectId} live`]);
      const waiting = [changeOf(first)];
      await until('the others are gathered', async () => (await open(test)) > 0);
      waiting.push(...Array.from({ length: 60 }, (_, at) => changeOf(locked, `p${at}`)), repeated(), repeated());
      for (const answer of waiting) answer.catch(() => undefined);
      assert.is(await inTime('an answer beside a lock', changeOf(other)), 200);
      await lock.query('commit');
      assert.equal(new Set(await Promise.all(waiting)), new Set([200]));
    } finally {
      await lock.query('rollback');
      lock.release();
    }
  },
);

neighbours(
  'a key reused with another body causes one warning, however often its request is tried',
  async ({ test, world }) => {
    const project = await buildProject(world);
    const send = async (id: string): Promise<number> => {
      const operations = [{ type: 'people', payload: { distinct_id: id, properties: {} } }];
      return (await project.live.post('/api/v1/batch', { operations }, { 'idempotency-key': 'again' })).status;
    };
    assert.is(await send('p'), 200);
    const lock = await test.app.pool.connect();
    try {
      await lock.query('begin');
      await lock.query('select pg_advisory_xact_lock(hashtextextended($1, 3))', [`${project.projectId} live`]);
      const waiting = send('q');
      await until('it is tried separately', async () => {
        const { rowCount } = await test.app.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
            and xact_start < clock_timestamp() - interval '0.5 seconds'`,
        );
        return rowCount === 1;
      });
      await lock.query('commit');
      assert.is(await waiting, 200);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    await test.app.services.warnings.flush();
    const { rows } = await test.app.pool.query(
      'select reason, count::int from ingestion_warning where project_id = $1',
      [project.projectId],
    );
    assert.equal(rows, [{ reason: 'reused_idempotency_key', count: 1 }]);
  },
);

neighbours.run();
