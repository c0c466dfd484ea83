import * as assert from 'uvu/assert';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import type { World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const x = worldSuite('decisions for the people of a cohort');

interface Modules {
  switch: { flags: Record<string, { value: unknown; reason: string }> };
  config: { values: Record<string, { value: unknown; reason: string }> };
  analytics: { cohorts: string[] };
}

async function modulesFor(world: World, distinctId: string): Promise<Modules> {
  const answer = await world.live.get(`/api/v1/handshake?distinct_id=${distinctId}`);
  assert.is(answer.status, 200);
  return (answer.body as { modules: Modules }).modules;
}

const createCohort = (world: World, input: object) =>
  world.owner.client.graphql('mutation($i: CreateCohortInput!) { createCohort(input: $i) { id } }', {
    i: { projectId: world.projectId, ...input },
  });

x('follow the properties that ingestion stored, within five seconds', async ({ test, world }) => {
  await createCohort(world, { name: 'payers', predicate: 'props.plan = "pro"' });
  await createCohort(world, { name: 'friends', distinctIds: ['ann', 'bob'] });
  const flag = await buildFlag(world, {
    rules: [
      {
        conditions: [
          { attribute: 'cohort', values: ['payers'] },
          { attribute: 'props.country', values: ['NZ'] },
        ],
        variant: 'on',
      },
    ],
  });
  const item = await buildConfigItem(world, { value: '1', rule: { cohort: 'friends', value: '2' } });
  await world.live.post('/api/v1/people', { distinct_id: 'ann', properties: { plan: 'pro', country: 'NZ' } });
  const ann = await modulesFor(world, 'ann');
  assert.equal(ann.analytics.cohorts, ['friends', 'payers']);
  assert.equal([ann.switch.flags[flag.key]?.value, ann.switch.flags[flag.key]?.reason], [true, 'rule']);
  assert.equal([ann.config.values[item.key]?.value, ann.config.values[item.key]?.reason], [2, 'rule']);
  const stranger = await modulesFor(world, 'stranger');
  assert.equal(stranger.analytics.cohorts, []);
  assert.is(stranger.switch.flags[flag.key]?.value, false);
  assert.equal([stranger.config.values[item.key]?.value, stranger.config.values[item.key]?.reason], [1, 'default']);
  await world.live.post('/api/v1/people', { distinct_id: 'ann', properties: { plan: null } });
  test.clock.advance(1_000);
  const later = await modulesFor(world, 'ann');
  assert.equal(later.analytics.cohorts, ['friends']);
  assert.is(later.switch.flags[flag.key]?.value, false);
});

x('change with the cohort itself, at once', async ({ world }) => {
  await modulesFor(world, 'cleo');
  await createCohort(world, { name: 'late', distinctIds: ['cleo'] });
  assert.equal((await modulesFor(world, 'cleo')).analytics.cohorts, ['late']);
});

x('are explained with what is stored', async ({ world }) => {
  await createCohort(world, { name: 'explained', distinctIds: ['dora'] });
  const flag = await buildFlag(world, {
    rules: [{ conditions: [{ attribute: 'cohort', values: ['explained'] }], variant: 'on' }],
  });
  const reasonFor = async (distinctId: string) => {
    const { explainFlag } = await world.owner.client.graphql<{ explainFlag: { decision: { reason: string } } }>(
      'query($id: ID!, $who: String!) { explainFlag(flagId: $id, distinctId: $who) { decision { reason } } }',
      { id: flag.id, who: distinctId },
    );
    return explainFlag.decision.reason;
  };
  assert.equal([await reasonFor('dora'), await reasonFor('eve')], ['rule', 'default']);
});

x('show the release that was promoted', async ({ world }) => {
  const { createRelease } = await world.owner.client.graphql<{ createRelease: { id: string } }>(
    'mutation($i: CreateReleaseInput!) { createRelease(input: $i) { id } }',
    { i: { projectId: world.projectId, environment: 'live', version: '4.2.0' } },
  );
  const release = async () => {
    const { body } = await world.live.get('/api/v1/deploy/decision');
    return (body as { release: { version: string } | null }).release?.version ?? null;
  };
  assert.is(await release(), null);
  await world.owner.client.graphql('mutation($i: IdInput!) { promoteRelease(input: $i) { id } }', {
    i: { id: createRelease.id },
  });
  assert.is(await release(), '4.2.0');
});

x.run();
