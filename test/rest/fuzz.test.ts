import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fuzzRest } from '../fuzz/fuzz-rest.js';
import { openTestApp } from '../support/test-app.js';

const fuzz = suite('requests made from openapi.json');

fuzz('are answered as it says, whatever is wrong with them', async () => {
  const test = await openTestApp({ unwatched: true });
  try {
    const { requests, succeeded } = await fuzzRest(test, { seed: 20260301, rounds: 150 });
    assert.ok(requests > 400, `${requests} requests`);
    assert.ok(succeeded.size > 20, `only ${[...succeeded].join(', ')} succeeded`);
  } finally {
    await test.close();
  }
});

fuzz.run();
