import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { HOUR_MS } from '../../../../src/kernel/values/durations.js';
import { buildProject } from '../../../support/factories/factories.js';
import { worldSuite } from '../../../support/factories/world-suite.js';
import { recordReads } from '../../../support/statements.js';
import { hour, listed, numbers, type Row, settleAt, storeAsReceived, THIS_HOUR } from './stored-events.js';

const x = worldSuite('hours that are counted');
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
  await settleAt(here.test, THIS_HOUR);
});

const store = (rows: readonly Row[]) => storeAsReceived(here.test, here.world, rows);
const count = () => here.test.app.services.eventHours.count();

x('lead to the events of a name, page by page, in overall order', async () => {
  const random = numbers(5);
  await store(
    Array.from({ length: 200 }, (_, at) => ({
      receivedAt: hour(1 + random(20)) + random(HOUR_MS),
      name: at % 40 === 0 ? 'rare' : 'opened',
    })),
  );
  await count();
  await store([{ receivedAt: hour(4) + 1, name: 'rare' }]);
  await here.world.live.post('/api/v1/track', { event_name: 'rare', distinct_id: 'now' });
  const { rows } = await here.test.app.pool.query<{ id: string }>(
    `select id from event where project_id = $1 and event_name = 'rare' order by id desc`,
    [here.world.projectId],
  );
  const whole = await listed(here.world, 'rare');
  assert.equal(
    whole.ids,
    rows.map(({ id }) => id),
  );
  assert.is(whole.total, 7);
  const first = await listed(here.world, 'rare', 3);
  const second = await listed(here.world, 'rare', 3, first.end);
  const third = await listed(here.world, 'rare', 3, second.end);
  assert.equal([...first.ids, ...second.ids, ...third.ids], whole.ids);
  assert.is(third.total, 7);
});

x('lead to the events of several names, in either order, from either end', async () => {
  const random = numbers(7);
  await store(
    Array.from({ length: 150 }, (_, at) => ({
      receivedAt: hour(1 + random(20)) + random(HOUR_MS),
      name: at % 30 === 0 ? 'rare' : at % 45 === 1 ? 'closed' : 'opened',
    })),
  );
  await count();
  await store([{ receivedAt: hour(4) + 1, name: 'closed' }]);
  const { rows } = await here.test.app.pool.query<{ id: string }>(
    `select id from event where project_id = $1 and event_name in ('rare', 'closed') order by id`,
    [here.world.projectId],
  );
  const ids = rows.map(({ id }) => id);
  for (const direction of ['asc', 'desc'])
    for (const [size, cursor, start] of [
      ['first', 'after', 'endCursor'],
      ['last', 'before', 'startCursor'],
    ] as const) {
      const found: string[] = [];
      for (let at: string | null = null, more = true; more; ) {
        const { result, statements } = await recordReads(() =>
          here.world.owner.client.graphql<{
            events: { totalCount: number; nodes: { id: string }[]; pageInfo: Record<string, string | null> };
          }>(
            `query($p: ID!, $at: String) { events(projectId: $p, ${size}: 3, ${cursor}: $at, filter: { eventName: { in: ["rare", "closed", "never"] } },
               orderBy: { field: receivedAt, direction: ${direction} }) { totalCount nodes { id } pageInfo { startCursor endCursor } } }`,
            { p: here.world.projectId, at },
          ),
        );
        const { events } = result;
        assert.is(events.totalCount, ids.length);
        assert.ok(statements.some(({ text }) => /from event\b/.test(text) && /starts, ends/.test(text)));
        const page = events.nodes.map(({ id }) => id);
        if (size === 'first') found.push(...page);
        else found.unshift(...page);
        more = page.length === 3;
        at = events.pageInfo[start] ?? null;
      }
      assert.equal(found, direction === 'asc' ? ids : [...ids].reverse(), `${size}, ${direction}`);
    }
});

x('are searched only in the minutes that hold the name', async () => {
  const received = [
    hour(3),
    hour(3) + 60_000,
    hour(3) + 59 * 60_000 + 59_999,
    hour(4) + 1_800_000,
    hour(5) + 7,
    hour(6) + 8,
  ];
  await store(received.map((receivedAt) => ({ receivedAt, name: 'rare' })));
  await store(received.map((receivedAt) => ({ receivedAt: receivedAt + 120_000, name: 'opened' })));
  await count();
  const { result, statements } = await recordReads(() => listed(here.world, 'rare'));
  assert.is(result.ids.length, received.length);
  const lists = statements.map(({ text }) => /left join lateral.*unnest\('\{([^}]*)\}'[^']*'\{([^}]*)\}'/s.exec(text));
  const [, starts = '', ends = ''] = lists.find((found) => found !== null) ?? [];
  const minutes = (text: string) => text.split(',').map((instant) => (Date.parse(instant) - hour(6)) / 60_000);
  assert.equal(minutes(starts).slice(1), [180, 239, 150, 60, 0], 'behind what is not yet counted');
  assert.equal(minutes(ends).slice(1), [182, 240, 151, 61, 1]);
});

x('know that a name is absent without looking at old events', async () => {
  await store(Array.from({ length: 100 }, (_, at) => ({ receivedAt: hour(1 + (at % 20)), name: 'opened' })));
  await count();
  const { result, statements } = await recordReads(() => listed(here.world, randomUUID()));
  assert.equal(result.ids, []);
  const reads = statements.filter(({ text }) => /from event\b/.test(text) && /starts, ends/.test(text));
  assert.ok(reads.length > 0);
  for (const { text } of reads) assert.match(text, /unnest\('\{[^,]*\}'/, 'the hours that are not yet counted');
  assert.ok((await recordReads(() => listed(here.world, 'opened', 10))).statements.length <= 12);
});

x.run();
