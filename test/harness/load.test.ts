import { createServer } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLocally } from '../support/receivers/open-locally.js';
import { startBareKoa } from './bare-koa.js';
import { cpuMicrosOfTree } from './cpu.js';
import { sendLoad } from './load.js';
import { alternate, median, spread } from './rounds.js';

const load = suite('load generator');

load('sends each request once and records the tags of the answers', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('ETag', `"Tag${request.url}"`).end('b');
  });
  const count = await sendLoad({
    url: await openLocally(server),
    requests: Array.from({ length: 20 }, (_, at) => ({ path: `/${at}` })),
    connections: 3,
    seconds: 0,
    expectedStatuses: [200],
  });
  server.closeAllConnections();
  server.close();
  assert.is(count.requests, 20);
  assert.equal(asked.toSorted(), Array.from({ length: 20 }, (_, at) => `/${at}`).toSorted());
  assert.equal(
    count.tags,
    Array.from({ length: 20 }, (_, at) => `"Tag/${at}"`),
  );
});

load('reads answers with a length, in chunks and without a body, and sends whole bodies', async () => {
  const bodies = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (body !== '') bodies.add(body);
    if (request.url === '/chunks') response.write('a');
    if (request.url === '/none') response.statusCode = 304;
    response.end(request.url === '/none' ? undefined : 'b');
  });
  const count = await sendLoad({
    url: await openLocally(server),
    requests: [{ path: '/chunks' }, { path: '/none' }, { path: '/', method: 'POST', body: 'op-{{n}}-Ü' }],
    connections: 3,
    seconds: 0.3,
    warmUpSeconds: 0.1,
    expectedStatuses: [200, 304],
  });
  server.closeAllConnections();
  server.close();
  assert.ok(count.requests >= 9, `only ${count.requests} requests`);
  assert.is(count.failures, 0);
  const [ok = 0, unchanged = 0] = [count.statuses['200'], count.statuses['304']];
  assert.ok(Math.abs(ok - 2 * unchanged) <= 6, `${ok} to ${unchanged}`);
  assert.ok(bodies.size >= unchanged, 'every body is different');
  assert.ok([...bodies].every((body) => /^op-\w+-\d+-Ü$/.test(body)));
});

load('fails on an unexpected answer', async () => {
  const koa = await startBareKoa({ status: 503, headers: {} });
  const before = cpuMicrosOfTree(koa.pid);
  const order = { url: koa.url, requests: [{ path: '/' }], connections: 2, seconds: 0.2, expectedStatuses: [200] };
  const refusal = await sendLoad(order).then(
    () => 'accepted',
    (error: Error) => error.message,
  );
  assert.match(refusal, '"503"');
  assert.ok(cpuMicrosOfTree(koa.pid) > before, 'the peer’s work shows in its CPU time');
  koa.stop();
});

load('alternates sides and computes medians', async () => {
  const order: string[] = [];
  const side = (name: string) => async () => order.push(name);
  const counts = await alternate(2, { a: side('a'), b: side('b') });
  assert.equal(order, ['a', 'b', 'a', 'b', 'b', 'a']);
  assert.equal(counts, { a: [3, 6], b: [4, 5] });
  assert.is(median([3, 1, 2]), 2);
  assert.is(median([4, 1, 2, 3]), 2.5);
  assert.is(spread([9, 10, 11]), 0.2);
});

load.run();
