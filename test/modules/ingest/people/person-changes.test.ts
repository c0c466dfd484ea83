import * as assert from 'uvu/assert';
import { changesSince, presentPosition } from '../../../../src/modules/ingest/people/person-changes.js';
import { buildWorld } from '../../../support/factories/factories.js';
import { appSuite } from '../../../support/factories/world-suite.js';

const x = appSuite('changes of persons');

x('are reported once each, in the order in which transactions end', async ({ test }) => {
  const { pool } = test.app;
  const world = await buildWorld(test);
  const people = (distinct_id: string) => world.live.post('/api/v1/people', { distinct_id, properties: { a: 1 } });
  for (const id of ['early', 'late']) await people(id);
  let position = await presentPosition(pool);
  const told = async () => {
    const changes = await changesSince(pool, position);
    position = changes.position;
    return changes.ids?.map(({ distinctId }) => distinctId).sort();
  };
  const slow = await pool.connect();
  try {
    await slow.query('begin');
    await slow.query(
      `update person set updated_at = now() where id = (select person_id from person_id where project_id = $1 and distinct_id = 'early')`,
      [world.projectId],
    );
    await people('late');
    assert.equal(await told(), ['late']);
    assert.equal(await told(), []);
    await slow.query('commit');
    assert.equal(await told(), ['early'], 'it began before the others and ended after them');
  } finally {
    slow.release();
  }
  await world.live.post('/api/v1/alias', { alias_id: 'second', distinct_id: 'early' });
  assert.equal(await told(), ['early', 'second'], 'every id of the person');
  assert.equal(await told(), []);
});

x('of a deleted person name the persons that its ids belonged to before', async ({ test }) => {
  const { pool } = test.app;
  const world = await buildWorld(test);
  const { projectId } = world;
  const personOf = async (distinctId: string): Promise<string> => {
    const sql = 'select person_id as id from person_id where project_id = $1 and distinct_id = $2';
    return (await pool.query<{ id: string }>(sql, [projectId, distinctId])).rows[0]?.id as string;
  };
  const run = (verb: string, distinctId: string) =>
    world.owner.client.graphql(`mutation ($i: PersonInput!) { ${verb}(input: $i) { __typename } }`, {
      i: { projectId, distinctId },
    });
  const alias = (alias_id: string, distinct_id: string) => world.live.post('/api/v1/alias', { alias_id, distinct_id });
  for (const id of ['a', 'b', 'c']) await world.live.post('/api/v1/people', { distinct_id: id, properties: { a: 1 } });
  const before = [await personOf('a'), await personOf('b'), await personOf('c')];

  let position = await presentPosition(pool);
  await alias('a', 'b');
  await alias('b', 'c');
  await run('deletePerson', 'a');
  assert.equal([...(await changesSince(pool, position)).gone].sort(), before.toSorted(), 'merged');

  await alias('d', 'e');
  const united = await personOf('d');
  position = await presentPosition(pool);
  await run('splitPerson', 'd');
  await run('deletePerson', 'd');
  assert.ok((await changesSince(pool, position)).gone.has(united), 'split');
});

x('of too many persons are reported as such', async ({ test }) => {
  const { pool } = test.app;
  const position = await presentPosition(pool);
  await pool.query(
    `insert into person (id, project_id, environment, properties, created_at, updated_at)
     select 'prs_many' || n, gen_random_uuid(), 'live', '{}', now(), now() from generate_series(1, 10001) n`,
  );
  const changes = await changesSince(pool, position);
  assert.is(changes.ids, null);
  assert.equal((await changesSince(pool, changes.position)).ids, []);
});

x.run();
