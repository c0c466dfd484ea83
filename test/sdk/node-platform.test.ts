import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../src/sdk/node/node-platform.js';

const x = suite('what the core asks of Node');

x('gives a request 15 seconds, and as much more as its body needs on a slow line', async () => {
  const server = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limits: number[] = [];
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (milliseconds) => {
    limits.push(milliseconds);
    return timeout.call(AbortSignal, milliseconds);
  };
  try {
    const { request } = nodePlatform('sk_live_1', new AbortController().signal, () => undefined);
    for (const body of [undefined, new Uint8Array(80_001), 'x'.repeat(1_600)])
      await request(url, body === undefined ? { method: 'GET', headers: {} } : { method: 'POST', headers: {}, body });
  } finally {
    AbortSignal.timeout = timeout;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  assert.equal(limits, [15_000, 25_001, 15_200]);
});

x.run();
