import * as assert from 'uvu/assert';
import { buildWorld } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { until } from '../../support/until.js';

/** How often a transaction is tried when others get in its way. */
const ATTEMPTS = 3;

const conflicts = appSuite('conflicts of deletions');

conflicts('a person is deleted even if they gain another id each time the deletion looks', async ({ test }) => {
  const { live, owner, projectId } = await buildWorld(test);
  const { pool } = test.app;
  assert.is((await live.post('/api/v1/people', { distinct_id: 'gone', properties: { n: 1 } })).status, 200);
  let isOver = false;
  const remove = async () => {
    const input = { projectId, distinctId: 'gone' };
    const mutation = 'mutation($i: PersonInput!) { deletePerson(input: $i) { id } }';
    await owner.client.graphql(mutation, { i: input }).finally(() => {
      isOver = true;
    });
  };
  const clients = await Promise.all(Array.from({ length: ATTEMPTS }, () => pool.connect()));
  const aliases: Promise<unknown>[] = [];
  const deletion: Promise<void>[] = [];
  try {
    // The next transaction waits for this lock behind the deletion, which releases it when its own transaction ends.
    const hold = async (client: (typeof clients)[number] | undefined) => {
      await client?.query('begin');
      await client?.query('lock table person_erasure in exclusive mode');
    };
    let held = hold(clients[0]);
    for (const [at, client] of clients.entries()) {
      await held;
      if (at === 0) deletion.push(remove());
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const waiting = async (by: number | undefined) =>
        (await pool.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [by])).rowCount !== 0;
      await until('the deletion has looked', async () => isOver || (await waiting(rows[0]?.pid)));
      held = hold(clients[at + 1]);
      let isKnown = false;
      const alias = live.post('/api/v1/alias', { alias_id: `late ${at}`, distinct_id: 'gone' });
      aliases.push(alias.then(() => (isKnown = true)));
      const waits = async (lock: string) => {
        const here = 'database = (select oid from pg_database where datname = current_database())';
        return (await pool.query(`select from pg_locks where not granted and ${here} and ${lock}`)).rowCount !== 0;
      };
      await until(
        'the id is there, or waits for the deletion',
        async () => isKnown || (await waits(`locktype = 'advisory'`)),
      );
      if (at + 1 < ATTEMPTS)
        await until('the next one waits behind it', () => waits(`mode = 'ExclusiveLock' and locktype = 'relation'`));
      await client.query('commit');
    }
    await held;
    await Promise.all([...deletion, ...aliases]);
  } finally {
    for (const client of clients) client.release(true);
  }
  const { rows } = await pool.query<{ distinct_id: string }>(
    'select distinct_id from person_id where project_id = $1 order by distinct_id',
    [projectId],
  );
  assert.not(
    rows.some(({ distinct_id }) => distinct_id === 'late 0'),
    "everything from before the deletion's last look is gone",
  );
  const { rows: persons } = await pool.query('select properties from person where project_id = $1', [projectId]);
  assert.equal(
    persons.map(({ properties }) => properties.n),
    persons.map(() => undefined),
    "nobody has any of the person's data",
  );
});

conflicts.run();
