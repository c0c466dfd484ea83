import * as assert from 'uvu/assert';
import { Client } from '../support/client.js';
import { EventStream } from '../support/event-stream.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildMember, buildProject, buildWorld, type TestUser, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { listen, openCount } from '../support/subscription.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const x = worldSuite('subscriptions', { worker: true });

const FLAGS =
  'subscription Flags($p: ID!) { flagChanged(projectId: $p) { eventId kind at objectId flag { id key haltReason project { id } } } }';

x('a change arrives with its object, whoever made it and through whichever API', async ({ test, world }) => {
  const { projectId: p } = world;
  const listening = await listen(test, world.owner, FLAGS, { p });
  const { id, key } = await buildFlag(world);
  const made = await listening.next('flagChanged');
  assert.equal([made.kind, made.objectId], ['switch.flag.created', id]);
  assert.equal(made.flag, { id, key, haltReason: null, project: { id: p } });
  assert.match(String(made.eventId), /^evt_/);
  await world.live.post('/api/switch/halt-webhook', { flag_key: key, reason: 'errors' });
  const halted = await listening.next('flagChanged', ({ kind }) => kind === 'switch.flag.halted');
  assert.is((halted.flag as { haltReason: string }).haltReason, 'errors');
  listening.close();
  await until('no subscriber is left', async () => (await openCount(test)) === 0);
});

x('one subscription reports every change of a project, and nothing the caller may not see', async ({ test, world }) => {
  const { projectId: p } = await buildProject(world);
  const viewer = await buildMember(test, world, 'viewer');
  const query = 'subscription P($p: ID!) { projectChanged(projectId: $p) { kind environment objectId } }';
  const all = await listen(test, world.owner, query, { p });
  const some = await listen(test, viewer, query, { p });
  const made = await world.owner.client.graphql<{ createApiKey: { key: { id: string } } }>(
    'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { key { id } } }',
    { input: { projectId: p, environment: 'live', name: 'server' } },
  );
  await world.owner.client.graphql('mutation($i: CreateSymbolSourceInput!) { createSymbolSource(input: $i) { id } }', {
    i: { projectId: p, name: 'symbols', layout: 'debuginfod', url: 'https://symbols.example.com' },
  });
  const { id } = await buildFlag({ ...world, projectId: p }, { environment: 'test' });
  const key = await all.next('projectChanged', ({ kind }) => kind === 'access.key.created');
  assert.is(key.objectId, made.createApiKey.key.id);
  const flag = { kind: 'switch.flag.created', environment: 'test', objectId: id };
  for (const listening of [all, some])
    assert.equal(await listening.next('projectChanged', ({ kind }) => kind === flag.kind), flag);
  assert.equal(
    some.results.map(({ data }) => data?.projectChanged?.kind ?? null),
    [null, null, flag.kind],
  );
  await world.owner.client.graphql('mutation($i: ChangeMemberRoleInput!) { changeMemberRole(input: $i) { id } }', {
    i: { userId: viewer.id, role: 'editor' },
  });
  await all.next('projectChanged', ({ kind }) => kind === 'access.member.role_changed');
  await until('a member hears that roles have changed', () => some.results.length === 4);
  all.close();
  some.close();
});

x('every kind of change has its subscription, at either address', async ({ test, world }) => {
  const { projectId: p } = await buildProject(world);
  const project = { ...world, projectId: p };
  const where = 'subscription S($p: ID!)';
  const items = await listen(
    test,
    world.owner,
    `${where} { configItemChanged(projectId: $p, environment: live) { kind item { key } } }`,
    { p },
    '/graphql',
  );
  const surveys = await listen(
    test,
    world.owner,
    `${where} { surveyChanged(projectId: $p) { kind survey { status } } }`,
    { p },
  );
  const audit = await listen(
    test,
    world.owner,
    `${where} { auditAppended(projectId: $p) { kind object: objectType project { id } } }`,
    { p },
  );
  await buildConfigItem(project, { environment: 'test' });
  const { key } = await buildConfigItem(project, {});
  assert.equal(await items.next('configItemChanged'), { kind: 'config.item.created', item: { key } });
  await buildSurvey(project);
  await surveys.next(
    'surveyChanged',
    ({ kind, survey }) => kind === 'pulse.survey.published' && (survey as { status: string }).status === 'published',
  );
  const entry = await audit.next('auditAppended', ({ kind }) => kind === 'config.item.created');
  assert.equal(entry.project, { id: p });
  for (const listening of [items, surveys, audit]) listening.close();
});

x('crashes and their alerts arrive', async ({ test, world }) => {
  const project = await buildProject(world);
  const { projectId: p } = project;
  await world.owner.client.graphql('mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { id } }', {
    i: { projectId: p, environment: 'live', name: 'New', condition: 'issue_created' },
  });
  const where = 'subscription S($p: ID!)';
  const issues = await listen(
    test,
    world.owner,
    `${where} { crashIssueChanged(projectId: $p) { kind issue { title } } }`,
    { p },
  );
  const alerts = await listen(
    test,
    world.owner,
    `${where} { alertFired(projectId: $p) { rule { name } issue { title } count } }`,
    { p },
  );
  const event = {
    event_id: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
    level: 'error',
    platform: 'javascript',
    exception: { type: 'TypeError', value: 'x', frames: [] },
  };
  assert.is((await project.live.post('/api/catch/events', event)).status, 200);
  assert.is((await issues.next('crashIssueChanged')).kind, 'catch.issue.created');
  assert.is(((await alerts.next('alertFired')).rule as { name: string }).name, 'New');
  for (const listening of [issues, alerts]) listening.close();
});

x(
  'nothing from another organization or project arrives, and forbidden subscriptions are refused',
  async ({ test, world }) => {
    const other = await buildWorld(test);
    const sister = await buildProject(world);
    const ours = await listen(test, world.owner, FLAGS, { p: world.projectId });
    for (let n = 0; n < 5; n += 1) {
      await buildFlag(other);
      await buildFlag(sister);
      await buildFlag(world);
    }
    await until('ours', () => ours.results.length >= 5);
    for (const { data } of ours.results)
      assert.equal((data?.flagChanged?.flag as { project?: object } | undefined)?.project, { id: world.projectId });
    ours.close();
    const foreign = await listen(test, other.owner, FLAGS, { p: world.projectId });
    await until('the refusal', () => foreign.results.length > 0);
    assert.is(foreign.results[0]?.errors?.[0]?.extensions.code, 'PROJECT_NOT_FOUND');
    await until('the end', () => foreign.ended === 'complete');
    const viewer = await buildMember(test, world, 'viewer');
    const audit = 'subscription { auditAppended { kind } }';
    const refused = await listen(test, viewer, audit, {});
    await until('the refusal', () => refused.results.length > 0);
    assert.is(refused.results[0]?.errors?.[0]?.extensions.code, 'PERMISSION_DENIED');
    const nobody = await listen(test, { token: 'none' }, FLAGS, { p: world.projectId });
    await until('the refusal', () => nobody.results.length > 0);
    assert.is(nobody.results[0]?.errors?.[0]?.extensions.code, 'UNAUTHENTICATED');
  },
);

x('what both environments share is reported to subscribers of one of them', async ({ test, world }) => {
  const project = await buildProject(world);
  const where = 'subscription S($p: ID!)';
  const query = `${where} { surveyChanged(projectId: $p, environment: live) { kind survey { status } } }`;
  const listening = await listen(test, world.owner, query, { p: project.projectId });
  await buildSurvey(project);
  await until('the survey', () => listening.results.some(({ data }) => data?.surveyChanged), 20_000);
  listening.close();
});

async function endsSoon(test: TestApp, world: World, user: TestUser, act: () => Promise<unknown>): Promise<void> {
  const listening = await listen(test, user, FLAGS, { p: world.projectId });
  assert.is(listening.ended, null);
  await act();
  await until('the end', () => listening.ended !== null);
  const [refusal] = listening.results.at(-1)?.errors ?? [];
  assert.is(refusal?.extensions.code, 'UNAUTHENTICATED');
  assert.match(refusal?.message ?? '', /another role\. Subscribe again; if that is refused, sign in again\.$/);
}

x(
  'a stream ends when its token is revoked, or when its user is removed or gets another role',
  async ({ test, world }) => {
    const owner = world.owner.client;
    const revoked = await buildMember(test, world, 'viewer');
    await endsSoon(test, world, revoked, async () => {
      const { apiTokens } = await revoked.client.graphql<{ apiTokens: { nodes: { id: string }[] } }>(
        '{ apiTokens { nodes { id } } }',
      );
      await revoked.client.graphql('mutation($i: IdInput!) { revokeApiToken(input: $i) { id } }', {
        i: { id: apiTokens.nodes[0]?.id },
      });
    });
    const removed = await buildMember(test, world, 'viewer');
    await endsSoon(test, world, removed, () =>
      owner.graphql('mutation($i: RemoveMemberInput!) { removeMember(input: $i) { id } }', {
        i: { userId: removed.id },
      }),
    );
    const demoted = await buildMember(test, world, 'editor');
    await endsSoon(test, world, demoted, () =>
      owner.graphql('mutation($i: ChangeMemberRoleInput!) { changeMemberRole(input: $i) { role } }', {
        i: { userId: demoted.id, role: 'viewer' },
      }),
    );
  },
);

x('a stream ends when its token expires', async ({ test, world }) => {
  const { createApiToken } = await world.owner.client.graphql<{ createApiToken: { token: string } }>(
    'mutation($i: CreateApiTokenInput!) { createApiToken(input: $i) { token } }',
    { i: { name: 'short', role: 'viewer', expiresInDays: 1 } },
  );
  await endsSoon(test, world, { ...world.owner, token: createApiToken.token }, async () =>
    test.clock.advance(86_400_001),
  );
});

x(
  'an operation that is not a subscription, is too deep or comes from a foreign page is refused before a stream begins',
  async ({ test, world }) => {
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await world.owner.client.post(
        '/graphql/stream',
        { query, variables: { p: world.projectId } },
        headers,
      );
      return {
        status: answer.status,
        code: (answer.body as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code,
      };
    };
    assert.equal(await ask('{ me { email } }'), { status: 400, code: 'BAD_REQUEST' });
    assert.equal(await ask('{'), { status: 400, code: 'GRAPHQL_PARSE_FAILED' });
    assert.equal(await ask('subscription { nothing }'), { status: 400, code: 'GRAPHQL_VALIDATION_FAILED' });
    for (const leftOut of [
      'subscription($p: ID!) { flagChanged(projectId: $p) @skip(if: true) { kind } }',
      'subscription($p: ID!) { ... @skip(if: true) { flagChanged(projectId: $p) { kind } } }',
      'subscription($p: ID!) { ...F @include(if: false) } fragment F on Subscription { flagChanged(projectId: $p) { kind } }',
      'subscription($p: ID!) { ...F } fragment F on Subscription { flagChanged(projectId: $p) @skip(if: true) { kind } }',
    ])
      assert.equal(await ask(leftOut), { status: 400, code: 'BAD_REQUEST' }, leftOut);
    const deep = `flag { ${'project { flags { nodes { '.repeat(4)}id${' } } }'.repeat(4)} }`;
    assert.equal(await ask(`subscription($p: ID!) { flagChanged(projectId: $p) { ${deep} } }`), {
      status: 400,
      code: 'QUERY_TOO_LARGE',
    });
    const variables = JSON.stringify({ p: world.projectId });
    const query = new URLSearchParams({ query: FLAGS, variables, operationName: '' });
    const authorization = `Bearer ${world.owner.token}`;
    const simple = await new Client(test.baseUrl).get(`/graphql/stream?${query}`, { authorization });
    assert.is(simple.status, 400, 'a GET that any page could send');
    for (const [name, value] of [
      ['apollo-require-preflight', '1'],
      ['x-apollo-operation-name', 'Flags'],
      ['content-type', 'application/json'],
    ] as const) {
      const headers = { authorization, accept: 'text/event-stream', [name]: value };
      const stream = await EventStream.open(`${test.baseUrl}/graphql?${query}`, headers);
      assert.is(stream.status, 200, name);
      assert.is(stream.response.headers.get('cache-control'), 'no-store, no-transform');
      stream.close();
    }
    const plain = await world.owner.client.post('/graphql', { query: FLAGS, variables: { p: world.projectId } });
    assert.is(plain.status, 400);
  },
);

x.run();
