import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, type TestUser, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const members = worldSuite('changes of members at the same time');

type Change = () => Promise<unknown>;

/** The code of the refusal of the second of two changes that were both let in before the first was made. */
async function afterTheFirst(
  { app }: TestApp,
  world: World,
  first: Change,
  second: Change,
): Promise<string | undefined> {
  const waits = (count: number) =>
    until(`${count} waiting`, async () => {
      const { rowCount } = await app.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === count;
    });
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from organization where id = $1 for update', [world.organizationId]);
    const made = first();
    await waits(1);
    const refused = refusalOf(second());
    await waits(2);
    await holder.query('commit');
    await made;
    return (await refused).code;
  } finally {
    holder.release();
  }
}

const remove = (by: TestUser, user: TestUser) => () =>
  by.client.graphql('mutation($id: ID!) { removeMember(input: { userId: $id }) { id } }', { id: user.id });
const demote = (by: TestUser, user: TestUser) => () =>
  by.client.graphql('mutation($id: ID!) { changeMemberRole(input: { userId: $id, role: viewer }) { role } }', {
    id: user.id,
  });

members('of two owners who remove or demote each other, the first wins', async ({ test, world }) => {
  const [a, b] = [await buildMember(test, world, 'owner'), await buildMember(test, world, 'owner')];
  assert.is(await afterTheFirst(test, world, demote(a, b), demote(b, a)), 'PERMISSION_DENIED');
  const c = await buildMember(test, world, 'owner');
  assert.is(await afterTheFirst(test, world, remove(a, c), remove(c, a)), 'INVALID_TOKEN');
});

members('a removed admin adds nobody with a request that was still waiting', async ({ test, world }) => {
  const admin = await buildMember(test, world, 'admin');
  const add = () =>
    admin.client.graphql(
      'mutation { addMember(input: { email: "friend@example.com", role: admin }) { member { id } } }',
    );
  assert.is(await afterTheFirst(test, world, remove(world.owner, admin), add), 'INVALID_TOKEN');
});

members.run();
