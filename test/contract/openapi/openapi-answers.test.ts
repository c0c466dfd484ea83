import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { buildKey, buildProject, buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { errorText, OpenApiContract } from '../../support/openapi/openapi-contract.js';
import { MatrixObjects } from '../matrices/matrix-objects.js';
import { REST_MATRIX } from '../matrices/rest-role-matrix.js';

const contract = new OpenApiContract();

let objects: MatrixObjects;

/** Documented answers that no module's own tests cover. */
const answers = worldSuite('documented answers');
const { here } = answers;
answers.before(async () => {
  objects = new MatrixObjects(here.test, here.world, null);
});

interface Row {
  /** The status, and the text of `error`. */
  answer: string;
  /** Uses a key by default. */
  by?: 'key' | 'owner' | 'anybody';
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const ROWS: readonly Row[] = [
  { answer: '202', path: '/api/v1/people', body: { distinct_id: 'null' } },
  { answer: '202', path: '/api/v1/alias', body: { distinct_id: 'user-1', alias_id: 'undefined' } },
  { answer: '400 Invalid track payload', path: '/api/v1/track', body: { distinct_id: 'user-1' } },
  { answer: '400 Invalid people payload', path: '/api/v1/people', body: {} },
  { answer: '400 Invalid alias payload', path: '/api/v1/alias', body: { distinct_id: 'user-1' } },
  {
    answer: '400 Invalid people payload',
    path: '/api/v1/batch',
    body: { operations: [{ type: 'people', payload: {} }] },
  },
  { answer: '400 Invalid request body', path: '/api/v1/track', body: [] },
  { answer: '400 Invalid request body', path: '/api/v1/people', body: [] },
  { answer: '400 Invalid request body', path: '/api/v1/alias', body: [] },
  { answer: '400 invalid_body', path: '/api/catch/events', body: { events: [] } },
  { answer: '400 invalid_body', path: '/api/catch/profiles', body: 'no JSON' },
  { answer: '400 PARSE_ERROR', path: '/ofrep/v1/evaluate/flags', body: [] },
  { answer: '400 INVALID_CONTEXT', path: '/ofrep/v1/evaluate/flags', body: { context: 1 } },
  { answer: '400 PARSE_ERROR', path: '/ofrep/v1/evaluate/flags/one', body: [] },
  { answer: '400 INVALID_CONTEXT', path: '/ofrep/v1/evaluate/flags/one', body: { context: 1 } },
  { answer: '404 FLAG_NOT_FOUND', path: '/ofrep/v1/evaluate/flags/one', body: {} },
  { answer: '400 invalid_body', method: 'GET', path: '/api/pulse/partial' },
  { answer: '400 invalid_body', method: 'DELETE', path: '/api/pulse/partial' },
  { answer: '404 not_found', method: 'GET', path: '/api/pulse/partial?survey_id=none&external_id=1' },
  { answer: '404 not_found', method: 'DELETE', path: '/api/pulse/partial?survey_id=none&external_id=1' },
  { answer: '200', by: 'anybody', method: 'GET', path: '/healthz' },
  { answer: '200', by: 'anybody', method: 'GET', path: '/readyz' },
  { answer: '200', by: 'anybody', method: 'GET', path: '/metrics' },
  { answer: '404 not_found', by: 'anybody', method: 'GET', path: '/metrics', headers: { via: 'a proxy' } },
  { answer: '403 invalid_link', by: 'anybody', method: 'GET', path: '/objects/one' },
  { answer: '403 invalid_link', by: 'anybody', method: 'GET', path: '/exports/csv/one' },
  { answer: '403 invalid_link', by: 'anybody', method: 'GET', path: '/exports/ndjson/one' },
];

function clientOf(by: Row['by']): Client {
  if (by === 'owner') return here.world.owner.client;
  return by === 'anybody' ? new Client(here.test.baseUrl) : here.world.live;
}

async function answersAs({ answer, by, method = 'POST', path, body, headers = {} }: Row): Promise<void> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const given = await clientOf(by).send(method, path, text, headers);
  const [status, ...words] = answer.split(' ');
  assert.is(given.status, Number(status), `${method} ${path}: ${given.text}`);
  if (words.length > 0) assert.is(errorText(given.body), words.join(' '));
}

answers('each of these requests gets its documented answer', async () => {
  for (const row of ROWS) await answersAs(row);
});

answers('a survey without questions accepts no partial save', async () => {
  const bare = await buildSurvey(here.world);
  await here.test.app.pool.query('update survey_question set removed_at = now() where survey_id = $1', [bare.id]);
  await here.test.app.pool.query('update survey set revision = revision + 1 where id = $1', [bare.id]);
  await here.test.app.pool.query('update survey_catalogue set revision = revision + 1');
  const respondent = { external_id: 'respondent-1' };
  await answersAs({
    answer: '422 no_questions',
    path: '/api/pulse/partial',
    body: { survey_id: bare.id, respondent, answers: {} },
  });
});

answers('a version that a later schema rejects is not restored', async () => {
  const { id, versionId } = await objects.configItem();
  await here.world.owner.client.graphql(
    'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }',
    { input: { id, value: '7', rule: null, jsonSchema: { minimum: 5 } } },
  );
  const path = `/api/v1/config/items/${id}/rollback`;
  await answersAs({ answer: '422 schema_violation', by: 'owner', path, body: { version_id: versionId } });
});

answers('an export names an unknown environment', async () => {
  const { id } = await buildSurvey(here.world);
  for (const format of ['csv', 'ndjson']) {
    const path = `/api/v1/pulse/surveys/${id}/responses.${format}?environment=staging`;
    await answersAs({ answer: '400 invalid_environment', by: 'owner', method: 'GET', path });
  }
});

answers('symbols are requested without a project', async () => {
  const one = await buildWorld(here.test);
  await buildProject(one);
  for (const method of ['GET', 'POST'] as const) {
    const answer = await one.owner.client.send(method, '/api/v1/catch/symbols', undefined, {});
    assert.is(answer.status, 400, answer.text);
    assert.is(errorText(answer.body), 'project_required');
  }
});

answers('a link to a file that is gone', async () => {
  const path = await objects.downloadPath();
  const { rows } = await here.test.app.pool.query<{ id: string; path: string }>(
    'select id, storage_path as path from symbol_artifact where project_id = $1',
    [here.world.projectId],
  );
  for (const row of rows) await here.test.app.parts.objects.delete(row.path);
  await answersAs({ answer: '404 not_found', by: 'anybody', method: 'GET', path });
});

answers('decisions over the quota', async () => {
  const poor = await buildProject(here.world);
  await setPlan(poor, { decisions: 0 });
  const server = poor.live.withKey(await buildKey(poor.owner, poor.projectId, 'live', ['decide', 'definitions']));
  const decisions = contract.operations.filter(({ tag }) => tag === 'Decisions');
  for (const { path } of decisions) {
    const answer = await server.get(path);
    assert.is(answer.status, 429, `${path}: ${answer.text}`);
    assert.is(errorText(answer.body), 'quota_exceeded');
  }
  for (const path of ['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/one']) {
    const answer = await poor.live.post(path, {});
    assert.is(answer.status, 429, `${path}: ${answer.text}`);
    assert.is(errorText(answer.body), 'quota_exceeded');
  }
});

answers('flags of a project whose module is disabled or suspended', async () => {
  const disabled = await buildProject(here.world);
  await updateProject(disabled, { disabledModules: ['switch'] });
  const halt = { flag_key: 'one', reason: 'errors' };
  const paths: [string, unknown][] = [
    ['/ofrep/v1/evaluate/flags', {}],
    ['/ofrep/v1/evaluate/flags/one', {}],
    ['/api/switch/halt-webhook', halt],
  ];
  for (const [path, body] of paths) {
    const answer = await disabled.live.post(path, body);
    assert.is(answer.status, 403, `${path}: ${answer.text}`);
    assert.is(errorText(answer.body), 'Switch disabled: module_disabled');
  }
  const suspended = await buildProject(here.world);
  await updateProject(suspended, { billingSuspended: true });
  const answer = await suspended.live.post('/api/switch/halt-webhook', halt);
  assert.is(errorText(answer.body), 'Switch disabled: billing_suspended');
});

answers('a flag whose rollout needs a targeting key', async () => {
  const { key } = await buildFlag(here.world, { rules: [{ percentage: 50, variant: 'on' }] });
  await answersAs({ answer: '400 TARGETING_KEY_MISSING', path: `/ofrep/v1/evaluate/flags/${key}`, body: {} });
});

answers('every alias serves the same as its operation', async () => {
  const aliases = contract.operations.filter(({ aliasOf }) => aliasOf !== null);
  assert.ok(aliases.length > 0);
  for (const alias of aliases) {
    const primary = contract.primaryOf(alias);
    const row = REST_MATRIX[`${primary.method} ${primary.path.replace(/\{(\w+)\}/g, ':$1')}`];
    if (row === undefined) throw new Error(`no request for ${primary.path}`);
    const { path, body, headers = {} } = await row.request(objects);
    const client = primary.security.some((one) => 'projectKey' in one) ? here.world.live : here.world.owner.client;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await client.send(alias.method, aliased(path, primary.path, alias.path), text, headers);
    assert.ok(answer.status < 300, `${alias.method} ${alias.path}: ${answer.status} ${answer.text}`);
  }
});

/** Moves a path, with its parameters and query, from one template to another. */
function aliased(path: string, from: string, to: string): string {
  const source = from.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/?]+)');
  const found = new RegExp(`^${source}(?<query>\\?.*)?$`).exec(path);
  const { query = '', ...params } = found?.groups ?? {};
  return to.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') + query;
}

async function updateProject(project: World, changes: object): Promise<void> {
  await project.operator.graphql('mutation($input: UpdateProjectInput!) { updateProject(input: $input) { id } }', {
    input: { id: project.projectId, ...changes },
  });
}

answers.run();
