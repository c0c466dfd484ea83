import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import type { World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';
import { until } from '../../support/until.js';

const prerequisites = worldPerTestSuite('prerequisites of flags over GraphQL');

const on = (key: string) => ({ key, variants: ['on'] });

async function update(world: World, flagId: string, change: object): Promise<void> {
  await world.owner.client.graphql('mutation($input: UpdateFlagInput!) { updateFlag(input: $input) { id } }', {
    input: { flagId, ...change },
  });
}

async function run(world: World, name: string, input: object): Promise<void> {
  const type = name === 'haltFlag' ? 'HaltFlagInput' : 'FlagIdInput';
  await world.owner.client.graphql(`mutation($input: ${type}!) { ${name}(input: $input) { id } }`, { input });
}

async function served(world: World, key: string, distinctId = 'u1'): Promise<string> {
  const { body } = await world.live.get(`/api/v1/handshake?installed=switch&distinct_id=${distinctId}`);
  const { flags } = (body as { modules: { switch: { flags: Record<string, { variant: string; reason: string }> } } })
    .modules.switch;
  return `${flags[key]?.variant} ${flags[key]?.reason}`;
}

async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  const refusal = await refusalOf(work);
  assert.is(refusal.code, 'INVALID_FLAG');
  const details = refusal.errors[0]?.extensions.details as
    | { problems: { path: string; problem: string }[] }
    | undefined;
  return details?.problems.map(({ path, problem }) => `${path} ${problem}`) ?? [];
}

prerequisites('are served by the handshake and OpenFeature, explained, and kept in versions', async ({ world }) => {
  const rules = [{ conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }], variant: 'on' }];
  const base = await buildFlag(world, { key: 'base', rules });
  const { id, key } = await buildFlag(world, { key: 'asking', prerequisites: [on('base')] });
  await world.live.post('/api/v1/people', { distinct_id: 'u1', properties: { plan: 'pro' } });
  assert.is(await served(world, key), 'on rule');
  assert.is(await served(world, key, 'u2'), 'off prerequisite');
  const { body } = await world.live.post(`/ofrep/v1/evaluate/flags/${key}`, { context: { targetingKey: 'u2' } });
  assert.equal((body as { reason: string; variant: string }).reason, 'DEFAULT');

  const { explainFlag } = await world.owner.client.graphql<{ explainFlag: object }>(
    `query($id: ID!) { explainFlag(flagId: $id, distinctId: "u2") { decision { reason } rules { applies }
      prerequisites { key variants isMet explanation { decision { reason variant } rules { because } } } } }`,
    { id },
  );
  assert.equal(explainFlag, {
    decision: { reason: 'prerequisite' },
    rules: [{ applies: true }],
    prerequisites: [
      {
        key: 'base',
        variants: ['on'],
        isMet: false,
        explanation: { decision: { reason: 'default', variant: 'off' }, rules: [{ because: 'props.plan is absent' }] },
      },
    ],
  });

  await update(world, id, { prerequisites: [{ key: 'base', variants: ['off', 'off'] }] });
  const { flag } = await world.owner.client.graphql<{
    flag: {
      prerequisites: object[];
      neededBy: object[];
      versions: { nodes: { behaviour: { prerequisites: object[] } }[] };
    };
  }>(
    `query($id: ID!) { flag(id: $id) { prerequisites { key variants } neededBy
      versions { nodes { behaviour } } } }`,
    { id },
  );
  assert.equal(flag.prerequisites, [{ key: 'base', variants: ['off'] }]);
  assert.equal(flag.neededBy, []);
  const found = await world.owner.client.graphql('query($id: ID!) { flag(id: $id) { neededBy } }', { id: base.id });
  assert.equal(found, { flag: { neededBy: ['asking'] } });
  assert.equal(
    flag.versions.nodes.map(({ behaviour }) => behaviour.prerequisites),
    [[{ key: 'base', variants: ['off'] }], [on('base')]],
  );
});

prerequisites('invalid prerequisites are refused with their path', async ({ world }) => {
  await buildFlag(world, { key: 'a' });
  await buildFlag(world, { key: 'elsewhere', environment: 'test' });
  const gone = await buildFlag(world, { key: 'gone' });
  await run(world, 'archiveFlag', { flagId: gone.id });
  const asking = (...needed: object[]) => buildFlag(world, { key: 'b', prerequisites: needed as never });
  assert.equal(
    await problemsOf(asking(on('elsewhere'), on('gone'), on('b'), { key: 'a', variants: ['on', 'maybe'] })),
    [
      'prerequisites[0].key must be a flag of the same project and environment',
      'prerequisites[1].key must not be archived',
      'prerequisites[2].key must be another flag',
      'prerequisites[3].variants[1] must name one of the variants of a',
    ],
  );
  assert.equal(await problemsOf(asking(on('a'), { key: 'a', variants: [] })), [
    'prerequisites[1].key must be unique among the prerequisites',
    'prerequisites[1].variants must have 1 to 100 entries',
  ]);
  assert.equal(await problemsOf(asking(...Array.from({ length: 11 }, (_, at) => on(`k${at}`)))), [
    'prerequisites must not have more than 10 entries',
  ]);
});

prerequisites('a cycle is refused, even if two changes close it together', async ({ world }) => {
  const a = await buildFlag(world, { key: 'a' });
  await buildFlag(world, { key: 'b', prerequisites: [on('a')] });
  await buildFlag(world, { key: 'c', prerequisites: [on('b')] });
  assert.equal(await problemsOf(update(world, a.id, { prerequisites: [on('c')] })), [
    'prerequisites must not lead back to the flag: a → c → b → a',
  ]);
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await buildFlag(world, { key: `x${round}` }), await buildFlag(world, { key: `y${round}` })];
    const both = await Promise.allSettled([
      update(world, one.id, { prerequisites: [on(two.key)] }),
      update(world, two.id, { prerequisites: [on(one.key)] }),
    ]);
    assert.equal(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], `round ${round}`);
  }
});

prerequisites('a chain has at most ten flags, wherever it grows', async ({ world }) => {
  let last = await buildFlag(world, { key: 'f1' });
  for (let at = 2; at <= 10; at += 1) last = await buildFlag(world, { key: `f${at}`, prerequisites: [on(last.key)] });
  const first = await world.owner.client.graphql<{ flagByKey: { id: string } }>(
    'query($p: ID!) { flagByKey(projectId: $p, key: "f1") { id } }',
    { p: world.projectId },
  );
  const longer = 'prerequisites must not make a chain of 11 flags; the maximum is 10';
  await buildFlag(world, { key: 'f0' });
  assert.equal(await problemsOf(update(world, first.flagByKey.id, { prerequisites: [on('f0')] })), [longer]);
  assert.equal(await problemsOf(buildFlag(world, { key: 'f11', prerequisites: [on(last.key)] })), [longer]);
});

prerequisites('variants that others depend on cannot be removed', async ({ world }) => {
  const base = await buildFlag(world, { key: 'base' });
  const asking = await buildFlag(world, { key: 'asking', prerequisites: [on('base')] });
  const refusal = await refusalOf(run(world, 'archiveFlag', { flagId: base.id }));
  assert.is(refusal.code, 'FLAG_NEEDED');
  assert.equal(refusal.errors[0]?.extensions.details, { flags: ['asking'] });
  assert.match(refusal.message, /asking/);
  const variants = [{ key: 'off', value: false }];
  assert.is((await refusalOf(update(world, base.id, { variants, rules: [] }))).code, 'FLAG_NEEDED');
  await run(world, 'archiveFlag', { flagId: asking.id });
  await run(world, 'archiveFlag', { flagId: base.id });
  assert.equal(await problemsOf(run(world, 'unarchiveFlag', { flagId: asking.id })), [
    'prerequisites[0].key must not be archived',
  ]);
  await run(world, 'unarchiveFlag', { flagId: base.id });
  await run(world, 'unarchiveFlag', { flagId: asking.id });
  assert.is(await served(world, 'asking'), 'on rule');

  const { archiveFlags } = await world.owner.client.graphql<{ archiveFlags: { error: { code: string } | null }[] }>(
    'mutation($input: IdsInput!) { archiveFlags(input: $input) { error { code } } }',
    { input: { ids: [asking.id, base.id] } },
  );
  assert.equal(archiveFlags, [{ error: null }, { error: null }]);
});

prerequisites('flags of two environments are locked in one order, whichever is named first', async (context) => {
  const { test, world } = context;
  const live = await buildFlag(world, { key: 'live' });
  const other = await buildFlag(world, { key: 'other', environment: 'test' });
  const client = await test.app.pool.connect();
  const lock = (take: string, environment: string) =>
    client.query<{ taken: boolean }>(`select ${take}(hashtextextended($1, 4))::text = 'true' as taken`, [
      `${world.projectId} ${environment}`,
    ]);
  const isWaiting = `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
  await client.query('begin');
  await lock('pg_advisory_xact_lock', 'live');
  const archiving = world.owner.client.graphql<{ archiveFlags: { error: null }[] }>(
    'mutation($input: IdsInput!) { archiveFlags(input: $input) { error { code } } }',
    { input: { ids: [other.id, live.id] } },
  );
  await until('it waits for the first', async () => (await test.app.pool.query(isWaiting)).rowCount);
  const second = await lock('pg_try_advisory_xact_lock', 'test');
  await client.query('rollback');
  client.release();
  assert.is(second.rows[0]?.taken, true, 'the second is free');
  assert.equal((await archiving).archiveFlags, [{ error: null }, { error: null }]);
});

prerequisites('a preview of a halt lists the affected flags', async ({ world }) => {
  const pro = [{ conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }], variant: 'on' }];
  const base = await buildFlag(world, { key: 'base', rules: pro });
  await buildFlag(world, { key: 'direct', prerequisites: [on('base')] });
  await buildFlag(world, { key: 'through', prerequisites: [on('direct')] });
  await buildFlag(world, { key: 'content', prerequisites: [{ key: 'base', variants: ['off'] }] });
  await buildFlag(world, { key: 'alone' });
  const people = ['pro', 'pro', 'free'].map((plan, at) => ({
    type: 'people',
    payload: { distinct_id: `u${at}`, properties: { plan } },
  }));
  await world.live.post('/api/v1/batch', { operations: people });
  const preview = async () =>
    world.owner.client.graphql<{ previewHalt: object }>(
      `query($id: ID!) { previewHalt(flagId: $id) { persons isEstimate
        consequences { flag { key } servesDefault persons } } }`,
      { id: base.id },
    );
  assert.equal((await preview()).previewHalt, {
    persons: 3,
    isEstimate: false,
    consequences: [
      { flag: { key: 'base' }, servesDefault: true, persons: 2 },
      { flag: { key: 'content' }, servesDefault: false, persons: 2 },
      { flag: { key: 'direct' }, servesDefault: true, persons: 2 },
      { flag: { key: 'through' }, servesDefault: true, persons: 2 },
    ],
  });
  await run(world, 'haltFlag', { flagId: base.id, reason: 'slow' });
  for (const key of ['direct', 'through']) assert.is(await served(world, key, 'u0'), 'off prerequisite', key);
  assert.is(await served(world, 'content', 'u0'), 'on rule');
});

prerequisites('finding dependents takes as many statements for one flag as for many', async ({ world }) => {
  await buildFlag(world, { key: 'base' });
  for (let at = 0; at < 5; at += 1) await buildFlag(world, { key: `f${at}`, prerequisites: [on('base')] });
  const query = `query($p: ID!, $first: Int!) { flags(projectId: $p, first: $first) { nodes { neededBy } } }`;
  const read = (first: number) => world.owner.client.graphql(query, { p: world.projectId, first });
  await listTakesAsManyReads(read, 100);
});

prerequisites.run();
