import * as assert from 'uvu/assert';
import { createLogger } from '../../../src/kernel/logger.js';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/values/durations.js';
import { DecisionCounter } from '../../../src/modules/quotas/decisions/decision-counter.js';
import { forgetDecisionUsage } from '../../../src/modules/quotas/decisions/last-use.js';
import { refusalOf } from '../../support/client.js';
import { refuseRows } from '../../support/database.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';

interface FlagNode {
  lastEvaluatedAt: string | null;
  stale: { reason: string; since: string } | null;
  usage: { total: number; from: string; to: string; variants: { variant: string; total: number; counts: number[] }[] };
}

const usage = appSuite<{ world: World }>('usage of flags and config items');

usage.before(async (context) => {
  context.test.clock.set('2031-05-10T10:20:00Z');
});
usage.before.each(async (context) => {
  context.world = await buildWorld(context.test);
});

async function ask(world: World, query: string, headers = {}): Promise<string> {
  const { headers: answered } = await world.live.get(`/api/v1/handshake?${query}`, headers);
  return answered.get('etag') ?? '';
}

async function flagOf(world: World, id: string, args = ''): Promise<FlagNode> {
  const { flag } = await world.owner.client.graphql<{ flag: FlagNode }>(
    `query($id: ID!) { flag(id: $id) { lastEvaluatedAt stale { reason since }
      usage${args} { total from to variants { variant total counts } } } }`,
    { id },
  );
  return flag;
}

usage('computed, cached and not-modified answers all count, by variant and hour', async ({ test, world }) => {
  const { id, key } = await buildFlag(world, {
    rules: [{ conditions: [{ attribute: 'platform', operator: 'in', values: ['ios'] }], variant: 'on' }],
  });
  assert.equal((await flagOf(world, id)).lastEvaluatedAt, null);
  const etag = await ask(world, 'platform=ios');
  await ask(world, 'platform=ios');
  await ask(world, 'platform=ios', { 'if-none-match': etag });
  await ask(world, 'platform=web&installed=switch');
  await world.live.get('/api/v1/switch/decision?platform=web');
  await world.live.post('/ofrep/v1/evaluate/flags', { context: { targetingKey: 'u', platform: 'ios' } });
  await test.app.services.decisionCounter.flush();
  test.clock.advance(HOUR_MS);
  await world.live.post(`/ofrep/v1/evaluate/flags/${key}`, { context: { targetingKey: 'u', platform: 'web' } });
  await ask(world, 'installed=config,deploy');
  await test.app.services.decisionCounter.flush();
  const now = test.clock.now();
  const flag = await flagOf(world, id, `(from: "${new Date(now.getTime() - HOUR_MS).toISOString()}")`);
  assert.equal(flag.usage, {
    total: 7,
    from: '2031-05-10T10:00:00.000Z',
    to: '2031-05-10T12:00:00.000Z',
    variants: [
      { variant: 'off', total: 3, counts: [2, 1] },
      { variant: 'on', total: 4, counts: [4, 0] },
    ],
  });
  assert.is(flag.lastEvaluatedAt, now.toISOString());
});

usage('all flags of an environment add up, archived ones too, and nothing else does', async ({ test, world }) => {
  const [kept, archived] = [await buildFlag(world), await buildFlag(world)];
  await buildFlag(world, { environment: 'test' });
  await buildFlag(await buildWorld(test));
  await ask(world, 'platform=ios');
  await world.test.get('/api/v1/handshake?platform=ios');
  await test.app.services.decisionCounter.flush();
  await world.owner.client.graphql('mutation($id: ID!) { archiveFlag(input: { flagId: $id }) { id } }', {
    id: archived.id,
  });
  test.clock.advance(HOUR_MS);
  await ask(world, 'platform=ios');
  await test.app.services.decisionCounter.flush();
  const query = `query($p: ID!, $from: DateTimeISO) {
    flagsUsage(projectId: $p, environment: live, from: $from) { total from to interval counts }
  }`;
  const of = (from: Date) => world.owner.client.graphql(query, { p: world.projectId, from: from.toISOString() });
  assert.equal(await of(new Date(test.clock.now().getTime() - HOUR_MS)), {
    flagsUsage: {
      total: 4,
      from: '2031-05-10T11:00:00.000Z',
      to: '2031-05-10T13:00:00.000Z',
      interval: 'hour',
      counts: [2, 2],
    },
  });
  assert.is((await flagOf(world, kept.id)).usage.total, 2);
  assert.is((await refusalOf(of(new Date(0)))).code, 'BAD_USAGE_TIME');
});

usage('processes add up, and what could not be stored stays counted', async ({ test, world }) => {
  const { id } = await buildFlag(world);
  const logger = createLogger('silent');
  let isBroken = true;
  const pool = {
    query: (...args: never[]) =>
      isBroken
        ? Promise.reject(Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' }))
        : (test.app.pool.query as (...all: never[]) => unknown)(...args),
  } as never;
  const other = new DecisionCounter(pool, test.clock, logger);
  const outcome = { objectId: id, version: 1, outcome: 'on' };
  other.counts([outcome], []).add('');
  await other.flush();
  other.add(outcome);
  isBroken = false;
  await ask(world, 'platform=ios');
  await Promise.all([other.flush(), test.app.services.decisionCounter.flush()]);
  assert.is((await flagOf(world, id)).usage.total, 3);
});

usage('one flag refused by the database does not keep the others from being counted', async ({ test, world }) => {
  const neighbour = await buildWorld(test);
  const refused = await buildFlag(neighbour);
  const { id } = await buildFlag(world);
  const accept = await refuseRows(test.app.pool, 'decision_usage', `new.object_id = '${refused.id}'`);
  await ask(neighbour, 'platform=ios');
  await ask(world, 'platform=ios');
  await test.app.services.decisionCounter.flush();
  assert.is((await flagOf(world, id)).usage.total, 1);
  await accept();
  await ask(world, 'platform=ios');
  await ask(neighbour, 'platform=ios');
  await test.app.services.decisionCounter.flush();
  assert.is((await flagOf(world, id)).usage.total, 2);
  assert.is((await flagOf(neighbour, refused.id)).usage.total, 1, 'what was refused is left out');
});

usage('rules of items are counted separately, version by version', async ({ test, world }) => {
  const rules = [
    { conditions: [{ attribute: 'platform', operator: 'in', values: ['ios'] }], value: '1' },
    {
      conditions: [{ attribute: 'platform', operator: 'in', values: ['web'] }],
      split: [
        { value: '1', weight: 1 },
        { value: '3', weight: 1 },
      ],
    },
  ];
  const { createConfigItem: item } = await world.owner.client.graphql<{ createConfigItem: { id: string } }>(
    'mutation($input: CreateConfigItemInput!) { createConfigItem(input: $input) { id } }',
    { input: { projectId: world.projectId, key: 'limit', type: 'int', value: '0', rules } },
  );
  for (const query of ['platform=ios', 'platform=web&distinct_id=a', 'platform=web&distinct_id=b', 'platform=tv'])
    await ask(world, query);
  await test.app.services.decisionCounter.flush();
  await world.owner.client.graphql(
    'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }',
    {
      input: { id: item.id, rules: rules.slice(0, 1) },
    },
  );
  await ask(world, 'platform=ios');
  await test.app.services.decisionCounter.flush();
  const { configItem } = await world.owner.client.graphql<{ configItem: object }>(
    'query($id: ID!) { configItem(id: $id) { lastEvaluatedAt stale { reason } usage(interval: day) { total rules { version ruleIndex total } } } }',
    { id: item.id },
  );
  assert.equal(configItem, {
    lastEvaluatedAt: test.clock.now().toISOString(),
    stale: null,
    usage: {
      total: 5,
      rules: [
        { version: 1, ruleIndex: 0, total: 1 },
        { version: 1, ruleIndex: 1, total: 2 },
        { version: 1, ruleIndex: null, total: 1 },
        { version: 2, ruleIndex: 0, total: 1 },
      ],
    },
  });
});

usage('flags and items halted, unused or constant for 30 days are stale, with the date', async ({ test, world }) => {
  const [unused, halted, archived] = [await buildFlag(world), await buildFlag(world), await buildFlag(world)];
  const both = await buildFlag(world, {
    rules: [{ conditions: [{ attribute: 'platform', values: ['ios'] }], variant: 'on' }],
  });
  const began = test.clock.now();
  await world.owner.client.graphql('mutation($input: HaltFlagInput!) { haltFlag(input: $input) { id } }', {
    input: { flagId: halted.id, reason: 'slow' },
  });
  await world.owner.client.graphql('mutation($input: FlagIdInput!) { archiveFlag(input: $input) { id } }', {
    input: { flagId: archived.id },
  });
  await ask(world, 'platform=ios&installed=switch');
  await test.app.services.decisionCounter.flush();
  const later = await buildFlag(world);
  const stale = async (id: string) => (await flagOf(world, id)).stale;
  /** The filter returns the flags that have a reason, and the others when negated. */
  const filtersRightly = async () => {
    const { all, stale, others } = await world.owner.client.graphql<
      Record<'all' | 'stale' | 'others', { nodes: { id: string; stale: object | null }[] }>
    >(
      `query($p: ID!) {
        all: flags(projectId: $p, includeArchived: true) { nodes { id stale { reason } } }
        stale: flags(projectId: $p, includeArchived: true, stale: true) { nodes { id } }
        others: flags(projectId: $p, includeArchived: true, stale: false) { nodes { id } } }`,
      { p: world.projectId },
    );
    const idsOf = (nodes: { id: string }[]) => nodes.map(({ id }) => id);
    assert.equal(idsOf(stale.nodes), idsOf(all.nodes.filter((flag) => flag.stale)));
    assert.equal(idsOf(others.nodes), idsOf(all.nodes.filter((flag) => !flag.stale)));
  };
  await filtersRightly();
  for (const { id } of [unused, halted, archived, both]) assert.is(await stale(id), null);
  test.clock.advance(30 * DAY_MS);
  assert.equal(await stale(unused.id), { reason: 'unused', since: began.toISOString() });
  assert.equal(await stale(halted.id), { reason: 'halted', since: began.toISOString() });
  assert.is(await stale(archived.id), null);
  await filtersRightly();
  assert.is((await stale(later.id))?.reason, 'unused');
  await ask(world, 'platform=web&installed=switch');
  await test.app.services.decisionCounter.flush();
  const firstHour = new Date(began.getTime() - (began.getTime() % HOUR_MS));
  assert.equal(await stale(unused.id), { reason: 'unchanging', since: firstHour.toISOString() });
  assert.is(await stale(both.id), null);
  assert.is(await stale(later.id), null, 'first reported');
  await filtersRightly();
});

usage('hours are forgotten after 35 days, the last use is not', async ({ test, world }) => {
  const { id } = await buildFlag(world);
  await ask(world, '');
  await test.app.services.decisionCounter.flush();
  const at = test.clock.now();
  test.clock.advance(36 * DAY_MS);
  await ask(world, '');
  await test.app.services.decisionCounter.flush();
  const range = `(from: "${at.toISOString()}", interval: day)`;
  assert.is((await flagOf(world, id, range)).usage.total, 2);
  await forgetDecisionUsage(test.app.pool, test.clock.now());
  const flag = await flagOf(world, id, range);
  assert.equal([flag.usage.total, flag.lastEvaluatedAt], [1, test.clock.now().toISOString()]);
});

usage('sparklines of many flags and items take one statement, and time ranges are limited', async ({ world }) => {
  for (let at = 0; at < 12; at += 1) await buildFlag(world);
  const query = `query($p: ID!, $first: Int!) { flags(projectId: $p, first: $first) { nodes {
    lastEvaluatedAt stale { reason } usage { variants { counts } } } } }`;
  const read = (first: number) => world.owner.client.graphql(query, { p: world.projectId, first });
  await listTakesAsManyReads(read, 100);
  const { id } = await buildFlag(world);
  for (const range of ['(from: "2031-01-01T00:00:00Z")', '(from: "2031-05-02T00:00:00Z", to: "2031-05-02T00:00:00Z")'])
    assert.is((await refusalOf(flagOf(world, id, range))).code, 'BAD_USAGE_TIME');
});

usage.run();
