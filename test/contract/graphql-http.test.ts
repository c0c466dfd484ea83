import { serverAudits } from 'graphql-http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
const http = suite('GraphQL over HTTP');

http.before(async () => {
  test = await openTestApp();
});
http.after(() => test.close());

http('passes every audit of graphql-http without an error', async () => {
  const audits = serverAudits({ url: () => `${test.baseUrl}/graphql`, fetchFn: fetch });
  assert.ok(audits.length >= 60, `only ${audits.length} audits`);
  const errors: string[] = [];
  for (const audit of audits) {
    const result = await audit.fn();
    if (result.status === 'error') errors.push(`${audit.id} ${audit.name}: ${result.reason}`);
  }
  assert.equal(errors, []);
});

http('takes an empty operationName as none, in the URL and in the body', async () => {
  const names = '{ __typename }';
  const headers = { 'content-type': 'application/json' };
  const url = `${test.baseUrl}/graphql?operationName=&query=${encodeURIComponent(names)}`;
  const last = `${test.baseUrl}/graphql?query=${encodeURIComponent(names)}&operationName=`;
  const body = JSON.stringify({ query: names, operationName: '' });
  const answers = [
    await fetch(url, { headers }),
    await fetch(last, { headers }),
    await fetch(`${test.baseUrl}/graphql`, { method: 'POST', headers, body }),
  ];
  for (const answer of answers) assert.equal(await answer.json(), { data: { __typename: 'Query' } });
});

http.run();
