import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildCohort } from '../support/factories/cohort-factory.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const changes = suite<{ test: TestApp; world: World }>('the same change asked for at once');

changes.before(async (context) => {
  context.test = await openTestApp({ worker: true });
  context.world = await buildWorld(context.test);
});
changes.after(({ test }) => test.close());

const AT_ONCE = 8;

/** Runs a mutation many times at once; how many were not refused. */
async function atOnce({ owner }: World, mutation: string, input: object): Promise<number> {
  const type = mutation === 'createSurvey' ? 'CreateSurveyInput' : 'IdInput';
  const query = `mutation($i: ${type}!) { ${mutation}(input: $i) { id } }`;
  const calls = Array.from({ length: AT_ONCE }, () => owner.client.graphql(query, { i: input }));
  return (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
}

/** Makes something; its id. */
async function made({ owner, projectId }: World, mutation: string, input: object, answer = 'id'): Promise<string> {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  const body = await owner.client.graphql<{ made: object }>(
    `mutation($i: ${type}!) { made: ${mutation}(input: $i) { ${answer} } }`,
    { i: mutation === 'createApiToken' ? input : { projectId, ...input } },
  );
  return /"id":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
}

async function kindsOf(test: TestApp, id: string): Promise<string[]> {
  const { rows } = await test.app.pool.query<{ kind: string }>(
    "select kind from event_log where object_id = $1 and kind !~ 'created$' order by sequence",
    [id],
  );
  return rows.map(({ kind }) => kind);
}

changes('is made once and recorded once: keys and tokens are revoked', async ({ test, world }) => {
  for (const [mutation, id, kind] of [
    ['revokeApiKey', await made(world, 'createApiKey', {}, 'key { id }'), 'access.key.revoked'],
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
    assert.equal(await kindsOf(test, id), [kind]);
  }
});

changes('of those who delete the same thing one succeeds', async ({ test, world }) => {
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
});

changes('a crash issue is resolved and opened again once', async ({ test, world }) => {
  const frames = [{ function: 'f', file: 'app.js', line: 1, in_app: true }];
  const exception = { type: 'Error', value: 'e', frames };
  await world.live.post('/api/catch/events', { event_id: randomUUID(), platform: 'node', exception });
  const id = await until('the issue is there', async () => {
    const { rows } = await test.app.pool.query<{ id: string }>('select id from crash_issue where project_id = $1', [
      world.projectId,
    ]);
    return rows[0]?.id;
  });
  for (const mutation of ['resolveCrashIssue', 'reopenCrashIssue'])
    assert.is(await atOnce(world, mutation, { id }), AT_ONCE);
  assert.equal(await kindsOf(test, id), ['catch.issue.resolved', 'catch.issue.reopened']);
});

changes('surveys of one name each find a slug of their own', async ({ test, world }) => {
  assert.is(await atOnce(world, 'createSurvey', { projectId: world.projectId, name: 'Moods' }), AT_ONCE);
  const { rows } = await test.app.pool.query<{ slug: string }>('select slug from survey where project_id = $1', [
    world.projectId,
  ]);
  const numbered = Array.from({ length: AT_ONCE - 1 }, (_, made) => `moods-${made + 2}`);
  assert.equal(rows.map(({ slug }) => slug).sort(), ['moods', ...numbered]);
});

changes.run();
