import * as assert from 'uvu/assert';
import { HOUR_MS, MINUTE_MS } from '../../../../src/kernel/values/durations.js';
import { EventHours } from '../../../../src/modules/ingest/hours/event-hours.js';
import { unshrinkable } from '../../../hostile/hostile-values.js';
import { buildProject, type World } from '../../../support/factories/factories.js';
import { worldSuite } from '../../../support/factories/world-suite.js';
import { hour, listed, numbers, type Row, settleAt, storeAsReceived, THIS_HOUR } from './stored-events.js';

const NAMES = ['opened', 'bought', 'closed', 'rare'];

const x = worldSuite('counts by the hour');
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
  await settleAt(here.test, THIS_HOUR);
});

const store = (rows: readonly Row[], options?: { commit: boolean }) =>
  storeAsReceived(here.test, here.world, rows, options);
const count = () => here.test.app.services.eventHours.count();

interface Answer {
  eventCounts: { total: number; intervals: { at: string; count: number }[] };
}

async function counts(from: number, to: number, interval: string, name?: string): Promise<number[]> {
  const { eventCounts } = await here.world.owner.client.graphql<Answer>(
    `query($p: ID!, $from: DateTimeISO!, $to: DateTimeISO!, $interval: Interval!, $name: String) {
       eventCounts(projectId: $p, environment: live, from: $from, to: $to, interval: $interval, eventName: $name) {
         total intervals { at count } } }`,
    { p: here.world.projectId, from: new Date(from), to: new Date(to), interval, name },
  );
  assert.is(
    eventCounts.total,
    eventCounts.intervals.reduce((sum, { count: n }) => sum + n, 0),
  );
  return eventCounts.intervals.map(({ count: n }) => n);
}

/** The count of the events one by one. */
async function plainTotal(from: number, to: number, name?: string): Promise<number> {
  const { rows } = await here.test.app.pool.query<{ n: number }>(
    `select count(*)::int as n from event where project_id = $1 and environment = 'live'
        and occurred_at >= $2 and occurred_at < $3 and ($4::text is null or event_name = $4)`,
    [here.world.projectId, new Date(from), new Date(to), name ?? null],
  );
  return rows[0]?.n ?? 0;
}

x('match the events, whatever arrives, goes and is counted in which order', async () => {
  const random = numbers(18);
  const hours = new EventHours(here.test.app.pool, 60_000, 0);
  let settled = hour(30);
  const span = () => {
    const from = hour(30) + random(28 * HOUR_MS);
    return [from, random(3) === 0 ? settled + random(2 * MINUTE_MS) : from + 1 + random(10 * HOUR_MS)] as const;
  };
  for (let step = 0; step < 90; step += 1) {
    const action = random(6);
    settled += random(3) === 0 ? random(100) * MINUTE_MS : random(20) * MINUTE_MS;
    await settleAt(here.test, settled);
    if (action < 3) {
      const receivedAt = random(2) === 0 ? settled + random(2 * MINUTE_MS) : settled - random(5 * HOUR_MS);
      await store(
        Array.from({ length: 1 + random(20) }, () => ({
          receivedAt,
          occurredAt: receivedAt - random(3) * random(5 * HOUR_MS) + random(2) * random(5 * MINUTE_MS),
          name: NAMES[random(3)] as string,
          distinctId: `person ${random(6)}`,
        })),
      );
    } else if (action < 5) await hours.count();
    else if (step % 3 === 0) {
      const distinctId = `person ${random(6)}`;
      await here.world.owner.client
        .graphql('mutation($input: PersonInput!) { deletePerson(input: $input) { id } }', {
          input: { projectId: here.world.projectId, environment: 'live', distinctId },
        })
        .catch((error: Error) => assert.match(error.message, /person/i));
    }
    const [from, to] = span();
    if (from >= to) continue;
    const name = random(2) === 0 ? undefined : NAMES[random(4)];
    const found = await counts(from, to, 'hour', name);
    assert.is(
      found.reduce((sum, n) => sum + n, 0),
      await plainTotal(from, to, name),
      `step ${step}: ${name} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`,
    );
    if (step % 4 !== 0) continue;
    const { ids, total } = await listed(here.world, 'opened');
    assert.equal([total, new Set(ids).size], [await plainTotal(0, hour(-48), 'opened'), Math.min(total, 100)]);
  }
});

x('cover everything stored while the clock is behind the last count', async () => {
  const hours = new EventHours(here.test.app.pool, 60_000, 0);
  const at = (minute: number) => hour(2) + minute * MINUTE_MS;
  await settleAt(here.test, at(20));
  await store([{ receivedAt: at(5), name: 'opened' }]);
  await hours.count();
  await settleAt(here.test, at(8));
  await store([
    { receivedAt: at(10), name: 'opened' },
    { receivedAt: at(25), name: 'opened' },
  ]);
  assert.equal(await counts(hour(2), hour(1), 'hour'), [3]);
  await hours.count();
  await settleAt(here.test, at(30));
  await hours.count();
  assert.equal(await counts(hour(2), hour(1), 'hour'), [3]);
  assert.is((await listed(here.world, 'opened')).total, 3);
});

x('of the current hour are read instead of its events, except those of the last minutes', async () => {
  const at = (minute: number) => hour(2) + minute * MINUTE_MS;
  const many = (minute: number, length: number) =>
    store(
      Array.from({ length }, (_, number) => ({
        receivedAt: at(minute) + number,
        name: number === 5 ? 'rare' : 'opened',
      })),
    );
  await settleAt(here.test, at(0));
  await many(3, 1_100);
  await settleAt(here.test, at(5));
  await count();
  await many(7, 900);
  await settleAt(here.test, at(9));
  await count();
  await many(12, 200);
  await settleAt(here.test, at(20));
  await count();
  await many(25, 30);
  assert.is((await listed(here.world, 'rare')).ids.length, 4);
  assert.equal(await counts(hour(2), at(5), 'hour'), [1_100]);
  const removed = await here.test.app.pool.query(
    'delete from event where project_id = $1 and id < event_id_floor($2)',
    [here.world.projectId, new Date(at(20))],
  );
  assert.is(removed.rowCount, 2_200);
  assert.equal(await counts(hour(2), hour(1), 'hour'), [2_230]);
  assert.equal(await counts(hour(26) + 7, at(27), 'day').then((days) => days.reduce((sum, n) => sum + n)), 2_230);
  assert.is((await listed(here.world, 'opened')).total, 2_226);
});

x('wait for writers that began before the hour ended', async () => {
  await store([{ receivedAt: hour(5), name: 'opened' }]);
  const finish = await store([{ receivedAt: hour(2), name: 'opened' }], { commit: false });
  await new EventHours(here.test.app.pool, 300).count();
  assert.is(await plainTotal(hour(10), hour(0)), 1);
  await finish();
  assert.equal(await counts(hour(6), hour(0), 'hour'), [0, 1, 0, 0, 1, 0]);
  await count();
  assert.equal(await counts(hour(6), hour(0), 'hour'), [0, 1, 0, 0, 1, 0]);
});

x('are read instead of the events', async () => {
  await store(Array.from({ length: 50 }, (_, at) => ({ receivedAt: hour(3 + (at % 9)), name: 'opened' })));
  await count();
  await here.test.app.pool.query('delete from event where project_id = $1', [here.world.projectId]);
  assert.is(
    (await counts(hour(20), hour(0), 'day')).reduce((sum, n) => sum + n),
    50,
  );
  assert.is(
    (await counts(hour(20), hour(0), 'day', 'closed')).reduce((sum, n) => sum + n),
    0,
  );
});

x('leave an hour of too many kinds to be counted on request', async () => {
  await store(Array.from({ length: 5_001 }, (_, at) => ({ receivedAt: hour(3), name: `kind ${at}` })));
  await store([{ receivedAt: hour(2), name: 'kind 7' }]);
  await count();
  const { rows } = await here.test.app.pool.query('select from event_hour where project_id = $1', [
    here.world.projectId,
  ]);
  assert.is(rows.length, 1);
  assert.equal(await counts(hour(4), hour(1), 'hour'), [0, 5_001, 1]);
  assert.is((await listed(here.world, 'kind 7')).ids.length, 2);
});

x('leave an hour of a name too long for the table to be counted on request, and count the others', async () => {
  const long = unshrinkable(3_000);
  const neighbour = await buildProject(here.world);
  await store([
    { receivedAt: hour(3), name: long },
    { receivedAt: hour(3), name: 'opened' },
    { receivedAt: hour(2), name: 'opened' },
  ]);
  const own = here.world;
  here.world = neighbour;
  await store([{ receivedAt: hour(3), name: 'opened' }]);
  await count();
  const countedOf = async ({ projectId }: World) =>
    (await here.test.app.pool.query('select from event_hour where project_id = $1', [projectId])).rows.length;
  assert.equal([await countedOf(own), await countedOf(neighbour)], [1, 1]);
  here.world = own;
  assert.equal(await counts(hour(4), hour(1), 'hour'), [0, 2, 1]);
  assert.equal(await counts(hour(4), hour(1), 'hour', long), [0, 1, 0]);
  assert.equal(await counts(hour(4), hour(1), 'hour', 'opened'), [0, 1, 1]);
});

x('of other environments continue when those of one cannot be counted', async () => {
  const neighbours = [await buildProject(here.world), await buildProject(here.world), await buildProject(here.world)];
  for (here.world of neighbours) await store([{ receivedAt: hour(3), name: 'opened' }]);
  const broken = neighbours[1] as World;
  await here.test.app.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse before insert on event_hour for each row when (new.project_id = '${broken.projectId}') execute function refuse()`,
  );
  const failed = await count().then(
    () => '',
    (error: Error) => error.message,
  );
  await here.test.app.pool.query('drop function refuse cascade');
  assert.match(failed, /refused/);
  const { rows } = await here.test.app.pool.query(
    'select project_id as id from event_hour where project_id = any($1) order by 1',
    [neighbours.map(({ projectId }) => projectId)],
  );
  const counted = neighbours.filter((neighbour) => neighbour !== broken).map(({ projectId }) => projectId);
  assert.equal(
    rows.map(({ id }) => id),
    counted.toSorted(),
  );
});

x('expire with their events', async () => {
  await store([
    { receivedAt: hour(50), name: 'opened' },
    { receivedAt: hour(30), name: 'opened' },
    { receivedAt: hour(30) + HOUR_MS / 2, name: 'opened' },
  ]);
  await count();
  const before = new Date(hour(30) + 1);
  await here.test.app.services.eventHours.forget(before, here.world.projectId);
  await here.test.app.pool.query('delete from event where project_id = $1 and id < event_id_floor($2)', [
    here.world.projectId,
    before,
  ]);
  for (const round of ['before', 'after']) {
    assert.is(
      (await counts(hour(60), hour(0), 'day')).reduce((sum, n) => sum + n),
      1,
      `${round} the next run`,
    );
    await count();
  }
});

x.run();
