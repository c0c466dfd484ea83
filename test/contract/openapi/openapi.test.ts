import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { faceErrors } from '../../../rest/face/error-table.js';
import { restRoutes } from '../../../rest/routes.js';
import { Client } from '../../support/client.js';
import { judgeAnswers } from '../../support/openapi/answered-operations.js';
import { OpenApiContract, type Schema } from '../../support/openapi/openapi-contract.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { openApiText } from './openapi-text.js';

/** Rows of the error tables that no REST operation reaches: the tables cover all failures of their modules. */
const ONLY_IN_GRAPHQL: readonly string[] = [
  'alert_rule_not_found',
  'bad_alert_rule',
  'bad_flag_key',
  'bad_ignore',
  'bad_key',
  'bad_merge',
  'bad_predicate',
  'bad_rule',
  'bad_rules',
  'bad_sample_rate',
  'bad_survey',
  'bad_symbol_source',
  'bad_value',
  'distribution_not_found',
  'event_not_found',
  'flag_archived',
  'flag_key_taken',
  'flag_needed',
  'flag_version_conflict',
  'invalid_flag',
  'issue_not_found',
  'issue_not_merged',
  'item_archived',
  'key_taken',
  'negative_limit',
  'profile_not_found',
  'question_kind_fixed',
  'respondent_required',
  'response_not_found',
  'rule_and_rules',
  'slug_taken',
  'survey_archived',
  'symbol_source_not_found',
  'too_many_files',
  'too_many_symbol_sources',
  'transition_refused',
  'version_conflict',
];

const contract = new OpenApiContract();

let test: TestApp;
let anonymous: Client;

const openapi = suite('openapi.json');

openapi.before(async () => {
  test = await openTestApp();
  anonymous = new Client(test.baseUrl);
});
openapi.after(() => test.close());

openapi('docs/openapi.json matches the route tables (npm run schema writes it)', () => {
  assert.fixture(readFileSync('docs/openapi.json', 'utf8'), openApiText(restRoutes(test.app)));
});

openapi('satisfies the meta schema of OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(contract.document) as Record<string, unknown>);
  assert.ok(result.valid, JSON.stringify(result.errors));
  assert.is(validator.version, '3.1');
});

openapi('names each operation once, and has no dangling references', () => {
  const ids = contract.operations.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
  const text = JSON.stringify(contract.document);
  for (const [, name = '', part = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    const parts = (contract.document.components as Record<string, Schema>)[name] ?? {};
    assert.ok(part in parts, `#/components/${name}/${part}`);
  }
});

openapi('every example matches its schema', () => {
  let examples = 0;
  for (const { id, body, responses } of contract.operations) {
    const media = [...responses.values()].flatMap(({ content = {} }) => Object.values(content));
    for (const { schema, example, examples: named = {} } of [...media, ...(body ? [body.media] : [])]) {
      const values = [...(example === undefined ? [] : [example]), ...Object.values(named).map(({ value }) => value)];
      for (const value of values) {
        examples += 1;
        assert.is(contract.schemaFault(schema, value), null, `${id}: ${JSON.stringify(value)}`);
      }
    }
  }
  assert.ok(examples > 100);
});

openapi('is served to pages of any origin, with 304 when unchanged', async () => {
  const answer = await anonymous.get('/openapi.json');
  assert.is(answer.status, 200);
  assert.equal(answer.body, contract.document);
  assert.is(answer.headers.get('access-control-allow-origin'), '*');
  assert.is(answer.headers.get('cache-control'), 'public, max-age=300');
  const etag = answer.headers.get('etag') ?? '';
  const again = await anonymous.get('/openapi.json', { 'if-none-match': etag });
  assert.is(again.status, 304);
  assert.is(again.text, '');
  const head = await anonymous.send('HEAD', '/openapi.json', undefined, {});
  assert.is(head.status, 200);
  assert.is(head.headers.get('etag'), etag);
  const preflight = await anonymous.send('OPTIONS', '/openapi.json', undefined, {});
  assert.is(preflight.status, 204);
});

openapi('every failure of a module is documented, unless only GraphQL returns it', () => {
  const routes = restRoutes(test.app);
  const documented = new Set(
    routes.flatMap(({ describes, caller }) => [
      ...caller.failures,
      ...(describes.failures ?? []).map((failure) => (typeof failure === 'string' ? failure : failure[0])),
    ]),
  );
  const codes = new Set(routes.flatMap(({ errors }) => Object.keys(errors)));
  const others = [...codes].filter((code) => !documented.has(code) && !(code in faceErrors)).sort();
  assert.equal(others, ONLY_IN_GRAPHQL);
});

openapi('undocumented answers are reported, and so are documented ones that are missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-answers-'));
  const headers = { 'x-request-id': '12345678', 'cache-control': 'no-store', 'content-type': 'application/json' };
  const alive = { method: 'GET', path: '/healthz', status: 200, headers, body: '{"status":"ok"}' };
  const notes = [
    alive,
    { ...alive, body: '{"status":"ok","more":1}' },
    { ...alive, status: 418 },
    { ...alive, headers: { ...headers, 'cache-control': 'public' } },
    { ...alive, path: '/not/documented' },
  ];
  try {
    await writeFile(join(folder, 'notes'), notes.map((note) => JSON.stringify(note)).join('\n'));
    const { missing, undocumented } = judgeAnswers(folder);
    assert.is(undocumented.length, 3, undocumented.join('\n'));
    assert.not.ok(missing.includes('getHealth 200'));
    assert.ok(missing.includes('getReadiness 200'));
    assert.ok(missing.includes('haltFlag 404 flag not found'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

openapi.run();
