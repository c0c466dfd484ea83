import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fuzzGraphql } from '../hostile/fuzz-graphql.js';
import { type LogLine, openTestApp } from '../support/test-app.js';

const fuzz = suite('hostile values in every argument of GraphQL');

fuzz('are accepted or refused, and never reported as a server failure', async () => {
  const log: LogLine[] = [];
  const test = await openTestApp({
    worker: true,
    unwatched: true,
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    onLog: (line) => log.push(line),
  });
  try {
    const { faults, requests, succeeded } = await fuzzGraphql(test, { seed: 20260301, requests: 300, log });
    assert.equal(faults, []);
    assert.is(requests, 300);
    assert.ok(succeeded.size > 20, `only ${[...succeeded].join(', ')} succeeded`);
  } finally {
    await test.close();
  }
});

fuzz.run();
