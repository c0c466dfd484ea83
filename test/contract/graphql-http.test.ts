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

http.run();
