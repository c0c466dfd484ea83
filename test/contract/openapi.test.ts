import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { restRoutes } from '../../rest/routes.js';
import { Client } from '../support/client.js';
import { OpenApiContract, type Schema } from '../support/openapi-contract.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { openApiText } from './openapi-text.js';

const contract = new OpenApiContract();

let test: TestApp;
let anonymous: Client;

const openapi = suite('openapi.json');

openapi.before(async () => {
  test = await openTestApp();
  anonymous = new Client(test.baseUrl);
});
openapi.after(() => test.close());

openapi('docs/openapi.json is what the route tables make (npm run schema writes it)', () => {
  assert.fixture(readFileSync('docs/openapi.json', 'utf8'), openApiText(restRoutes(test.app)));
});

openapi('satisfies the meta schema of OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(contract.document) as Record<string, unknown>);
  assert.ok(result.valid, JSON.stringify(result.errors));
  assert.is(validator.version, '3.1');
});

openapi('has one name for each operation, and refers to nothing that is not there', () => {
  const ids = contract.operations.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
  const text = JSON.stringify(contract.document);
  for (const [, name = '', part = ''] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
    const parts = (contract.document.components as unknown as Record<string, Schema>)[name] ?? {};
    assert.ok(part in parts, `#/components/${name}/${part}`);
  }
});

openapi('every example is of the schema beside it', () => {
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

openapi('is served to pages of any origin, and only when it changed', async () => {
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

openapi.run();
