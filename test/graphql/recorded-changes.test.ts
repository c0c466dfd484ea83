import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildCohort } from '../support/factories/cohort-factory.js';
import { buildMember, type World } from '../support/factories/factories.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { artifactOf, SMALL_MAP, uploadSymbols } from '../support/symbols/symbol-client.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const changes = worldSuite('how changes are recorded', { worker: true });

const AT_ONCE = 8;

/** Runs a mutation many times at once and returns how many were not refused. */
async function atOnce({ owner }: World, mutation: string, input: object): Promise<number> {
  const type = { createSurvey: 'CreateSurveyInput', removeMember: 'RemoveMemberInput' }[mutation] ?? 'IdInput';
  const query = `mutation($i: ${type}!) { ${mutation}(input: $i) { id } }`;
  const calls = Array.from({ length: AT_ONCE }, () => owner.client.graphql(query, { i: input }));
  return (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
}

/** Creates an object and returns its id. */
async function made({ owner, projectId }: World, mutation: string, input: object, answer = 'id'): Promise<string> {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const body = await owner.client.graphql<{ made: object }>(
    `mutation($i: ${type}!) { made: ${mutation}(input: $i) { ${answer} } }`,
    { i: mutation === 'createApiToken' ? input : { projectId, ...input } },
  );
  return /"id":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
}

const buildKeyId = (world: World): Promise<string> => made(world, 'createApiKey', {}, 'key { id }');

interface Recorded {
  kind: string;
  before: unknown;
  after: unknown;
}

/** The recorded history of an object, without its creation. */
async function recordOf(test: TestApp, id: string, beginning = /created$/): Promise<Recorded[]> {
  const { rows } = await test.app.pool.query<Recorded>(
    'select kind, before, after from event_log where object_id = $1 order by sequence',
    [id],
  );
  return rows.filter(({ kind }) => !beginning.test(kind));
}

const kindsOf = async (test: TestApp, id: string): Promise<string[]> =>
  (await recordOf(test, id)).map(({ kind }) => kind);

async function crash({ live }: World): Promise<void> {
  const frames = [{ function: 'f', file: 'app.js', line: 1, in_app: true }];
  const exception = { type: 'Error', value: 'e', frames };
  await live.post('/api/catch/events', { event_id: randomUUID(), platform: 'node', exception });
}

changes('keys and tokens that many callers revoke at once are revoked once', async ({ test, world }) => {
  for (const [mutation, id, kind] of [
    ['revokeApiKey', await buildKeyId(world), 'access.key.revoked'],
    [
      'revokeDeployToken',
      await made(world, 'createDeployToken', { name: 'ci' }, 'deployToken { id }'),
      'access.deploy_token.revoked',
    ],
    [
      'revokeApiToken',
      await made(world, 'createApiToken', { name: 'ci', role: 'viewer' }, 'apiToken { id }'),
      'access.api_token.revoked',
    ],
  ] as const) {
    assert.is(await atOnce(world, mutation, { id }), AT_ONCE, mutation);
    const record = await recordOf(test, id);
    const revokedAt = record.map(({ before, after }) =>
      [before, after].map((state) => typeof (state as { revokedAt: unknown }).revokedAt),
    );
    assert.equal([record.map((one) => one.kind), revokedAt], [[kind], [['object', 'string']]]);
  }
});

changes('of concurrent deletions of the same object one succeeds', async ({ test, world }) => {
  const source = { name: 'files', layout: 'debuginfod', url: 'https://symbols.example.com/' };
  for (const [mutation, id, kind] of [
    ['deleteCohort', await buildCohort(world, { name: 'few', distinctIds: ['a'] }), 'ingest.cohort.deleted'],
    [
      'deleteAlertRule',
      await made(world, 'createAlertRule', { name: 'many', condition: 'event_count' }),
      'catch.alert_rule.deleted',
    ],
    ['deleteSymbolSource', await made(world, 'createSymbolSource', source), 'catch.symbol_source.deleted'],
  ] as const) {
    assert.is(await atOnce(world, mutation, { id }), 1, mutation);
    assert.equal(await kindsOf(test, id), [kind]);
  }
  const { id: userId } = await buildMember(test, world, 'editor');
  assert.is(await atOnce(world, 'removeMember', { userId }), 1);
  assert.equal(await recordOf(test, userId), [
    { kind: 'access.member.removed', before: { role: 'editor' }, after: null },
  ]);
});

changes('the record of a removed member has the roles in projects that went along', async ({ test, world }) => {
  const { id: userId } = await buildMember(test, world, 'viewer');
  const { client } = world.owner;
  await client.graphql('mutation($i: ChangeMemberRoleInput!) { changeMemberRole(input: $i) { id } }', {
    i: { userId, role: 'owner', projectId: world.projectId },
  });
  await client.graphql('mutation($i: RemoveMemberInput!) { removeMember(input: $i) { id } }', { i: { userId } });
  const project_roles = [{ project_id: world.projectId, role: 'owner' }];
  assert.equal((await recordOf(test, userId)).at(-1), {
    kind: 'access.member.removed',
    before: { role: 'viewer', project_roles },
    after: null,
  });
});

changes('changes of several objects named in any order do not deadlock', async ({ test, world }) => {
  const keys: string[] = [];
  while (keys.length < 6) keys.push(await buildKeyId(world));
  const revoke = (ids: string[]) =>
    world.owner.client.graphql<{ revokeApiKeys: { id: string }[] }>(
      'mutation($ids: [ID!]!) { revokeApiKeys(input: { ids: $ids }) { id } }',
      { ids },
    );
  const orders = Array.from({ length: AT_ONCE }, (_, turn) => (turn % 2 ? keys : keys.toReversed()));
  const answers = await Promise.all(orders.map(revoke));
  assert.equal(
    answers.map(({ revokeApiKeys }) => revokeApiKeys.map(({ id }) => id)),
    orders,
  );
  for (const id of keys) assert.equal(await kindsOf(test, id), ['access.key.revoked']);
});

changes('of roles given at once, each is recorded as following the one before', async ({ test, world }) => {
  const { id: userId } = await buildMember(test, world, 'viewer');
  const give = (mutation: string, input: string) =>
    world.owner.client.graphql(
      `mutation($u: ID!, $p: ID!) { ${mutation}(input: { userId: $u, projectId: $p ${input}}) { id } }`,
      {
        u: userId,
        p: world.projectId,
      },
    );
  const roles = Array.from({ length: AT_ONCE }, (_, turn) => (turn % 2 ? 'editor' : 'admin'));
  await Promise.all(roles.map((role) => give('changeMemberRole', `, role: ${role} `)));
  await Promise.all(roles.map(() => give('removeProjectRole', '')));
  const record = await recordOf(test, userId);
  assert.is(record.length, AT_ONCE + 1);
  assert.equal(
    record.map(({ before }) => before),
    [{ role: null }, ...record.slice(0, -1).map(({ after }) => after)],
  );
});

changes('a crash issue is resolved, regresses and is reopened by hand once each', async ({ test, world }) => {
  await crash(world);
  const id = await until('the issue is there', async () => {
    const { rows } = await test.app.pool.query<{ id: string }>('select id from crash_issue where project_id = $1', [
      world.projectId,
    ]);
    return rows[0]?.id;
  });
  assert.is(await atOnce(world, 'resolveCrashIssue', { id }), AT_ONCE);
  await crash(world);
  await until('it is back', async () => (await recordOf(test, id)).length === 2);
  for (const mutation of ['resolveCrashIssue', 'reopenCrashIssue'])
    assert.is(await atOnce(world, mutation, { id }), AT_ONCE);
  const record = await recordOf(test, id);
  assert.equal(
    record.map(({ kind }) => kind.split('.').at(-1)),
    ['resolved', 'regressed', 'resolved', 'reopened'],
  );
  const [resolved, open] = ['resolved', 'open'].map((status) => ({ status, ignored: false }));
  assert.equal(record[1], { kind: 'catch.issue.regressed', before: resolved, after: open });
});

changes('files, secrets and organizations record their old and new state', async ({ test, world }) => {
  const { client } = world.owner;
  const file = artifactOf(
    await uploadSymbols(client, { name: 'app.js.map', bytes: SMALL_MAP }, { kind: 'js_sourcemap' }),
  );
  await client.delete(`/api/v1/catch/symbols/${file.id}`);
  const [uploaded, deleted] = await recordOf(test, file.id);
  const { size_bytes: sizeBytes, sha256 } = file;
  assert.equal(uploaded?.after, { originalName: 'app.js.map', sizeBytes, sha256, commitSha: null });
  assert.equal([uploaded?.before, deleted?.before, deleted?.after], [null, uploaded?.after, null]);
  const { id } = await buildSubscription(world, 'https://example.com/', ['config.*']);
  await client.graphql('mutation($id: ID!) { rotateWebhookSecret(input: { id: $id }) { secret } }', { id });
  const [rotated] = await recordOf(test, id);
  assert.equal(rotated?.before, { previousSecretUntil: null });
  assert.equal(Object.keys(rotated?.after ?? {}), ['previousSecretUntil']);
  await client.graphql('mutation($id: ID!) { updateOrganization(input: { id: $id, name: "Renamed" }) { name } }', {
    id: world.organizationId,
  });
  const [renamed] = await recordOf(test, world.organizationId);
  assert.equal(renamed?.kind, 'access.organization.updated');
  assert.equal([Object.keys(renamed?.before ?? {}), renamed?.after], [['name'], { name: 'Renamed' }]);
  const made = await client.graphql<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Ours" }) { id } }',
  );
  assert.equal(await recordOf(test, made.createOrganization.id, /none/), [
    { kind: 'access.organization.created', before: null, after: { name: 'Ours' } },
  ]);
});

changes('surveys of one name each get their own slug', async ({ test, world }) => {
  assert.is(await atOnce(world, 'createSurvey', { projectId: world.projectId, name: 'Moods' }), AT_ONCE);
  const { rows } = await test.app.pool.query<{ slug: string }>('select slug from survey where project_id = $1', [
    world.projectId,
  ]);
  const numbered = Array.from({ length: AT_ONCE - 1 }, (_, made) => `moods-${made + 2}`);
  assert.equal(rows.map(({ slug }) => slug).sort(), ['moods', ...numbered]);
});

changes.run();
