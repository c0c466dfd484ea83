import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../src/sdk/node/node-platform.js';
import { openLocally } from '../support/receivers/open-locally.js';

const x = suite('what the core asks of Node');

x('gives a request 15 seconds, and extra time for its body on a slow line', async () => {
  const server = createServer((_request, response) => response.end());
  const url = await openLocally(server);
  const limits: number[] = [];
  const { setTimeout: set } = globalThis;
  globalThis.setTimeout = ((task: () => void, milliseconds: number) => {
    if (milliseconds >= 15_000) limits.push(milliseconds);
    return set(task, milliseconds);
  }) as typeof setTimeout;
  try {
    const { request } = nodePlatform('sk_live_1', new AbortController().signal, () => undefined);
    for (const body of [undefined, new Uint8Array(80_000), 'x'.repeat(1_600)])
      await request(url, body === undefined ? { method: 'GET', headers: {} } : { method: 'POST', headers: {}, body });
  } finally {
    globalThis.setTimeout = set;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  assert.equal(limits, [15_000, 25_000, 15_200]);
});

/** Asks a server that never answers, with accelerated time, collects garbage, and prints how the requests ended. */
const WAITING = (platform: string): string => `
const { nodePlatform } = await import(${JSON.stringify(platform)});
const { setTimeout: set } = globalThis;
const { timeout } = AbortSignal;
globalThis.setTimeout = (task, milliseconds) => set(task, milliseconds < 15_000 ? milliseconds : 300);
AbortSignal.timeout = () => timeout.call(AbortSignal, 300);
const server = (await import('node:http')).createServer(() => {}).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port;
  const { request } = nodePlatform('sk_live_1', new AbortController().signal, () => {});
  const ended = Promise.all([1, 2, 3].map(() => request(url, { method: 'GET', headers: {} }).then(() => 'answered', () => 'ended')));
  set(gc, 100);
  set(() => process.exit(1), 20_000);
  console.log((await ended).join());
  process.exit();
});`;

x('ends an unanswered request, whatever garbage is collected meanwhile', async () => {
  const platform = `${process.cwd()}/dist/src/sdk/node/node-platform.js`;
  // The machine's Node is often older than that of the tests: Node 20 forgets whatever nothing holds.
  for (const node of new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath])) {
    const args = ['--expose-gc', '--input-type=module', '-e', WAITING(platform)];
    assert.is((await promisify(execFile)(node, args)).stdout, 'ended,ended,ended\n', node);
  }
});

x.run();
