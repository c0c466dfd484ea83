import { Agent } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fuzzRest } from '../hostile/fuzz-rest.js';
import { buildFuzzWorld } from '../hostile/fuzz-world.js';
import { usualRequests } from '../hostile/hostile-requests.js';
import { answerTo, sendHostile, unmatched } from '../hostile/hostile-rest.js';
import { OpenApiContract } from '../support/openapi/openapi-contract.js';
import { type LogLine, openTestApp } from '../support/test-app.js';

const fuzz = suite('requests made from openapi.json');

fuzz('are answered as documented, whatever is wrong with them', async () => {
  const test = await openTestApp({ unwatched: true });
  try {
    const { requests, succeeded } = await fuzzRest(test, { seed: 20260301, rounds: 80 });
    assert.ok(requests > 200, `${requests} requests`);
    assert.ok(succeeded.size > 20, `only ${[...succeeded].join(', ')} succeeded`);
  } finally {
    await test.close();
  }
});

fuzz('with one thing wrong anywhere are refused as documented, and nothing fails', async () => {
  const log: LogLine[] = [];
  const test = await openTestApp({ unwatched: true, onLog: (line) => log.push(line) });
  try {
    const { requests, faults } = await sendHostile(test, log, { seed: 20260301, most: 500 });
    assert.equal(faults, []);
    assert.is(requests, 500);
  } finally {
    await test.close();
  }
});

fuzz('that fail because every table is missing say so, each logged under the id of its answer', async () => {
  const log: LogLine[] = [];
  const test = await openTestApp({ unwatched: true, onLog: (line) => log.push(line) });
  const agent = new Agent({ keepAlive: true });
  try {
    const contract = new OpenApiContract();
    const { known, callers } = await buildFuzzWorld(test);
    await test.app.pool.query('alter schema public rename to gone');
    const failed = new Set<string | null>();
    for (const request of usualRequests(contract, known, 1)) {
      const answer = await answerTo(test, request, callers[request.caller] ?? {}, agent);
      assert.ok(typeof answer === 'object', request.what);
      assert.ok(answer.header('x-request-id'), request.what);
      if (answer.status >= 500) failed.add(answer.header('x-request-id'));
    }
    assert.ok(failed.size > 20, `only ${failed.size} failed`);
    assert.equal(unmatched(log, failed), []);
  } finally {
    await test.app.pool.query('alter schema gone rename to public');
    agent.destroy();
    await test.close();
  }
});

fuzz.run();
