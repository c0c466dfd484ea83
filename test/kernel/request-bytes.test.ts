import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { RequestBytes } from '../../src/kernel/bodies/request-bytes.js';

const BODY = Buffer.alloc(3_000_000, 'a b c');

/** Reads a body as ingestion reads a large one; the bytes, and how many of them were still held at the end. */
async function readLarge(headers: Record<string, string>, body: Buffer): Promise<{ bytes: Buffer; held: number }> {
  const found = Promise.withResolvers<{ bytes: Buffer; held: number }>();
  const server: Server = createServer(async (message, response) => {
    const source = new RequestBytes(message, 10_000_000, new BodyBudget().open('test'));
    const chunks: Buffer[] = [];
    const copies: Buffer[] = [];
    try {
      assert.is(await source.whole(100_000), null);
      for await (const chunk of source.rest()) {
        chunks.push(chunk);
        copies.push(Buffer.from(chunk));
      }
      found.resolve({ bytes: Buffer.concat(copies), held: chunks.reduce((sum, { length }) => sum + length, 0) });
    } catch (error) {
      found.reject(error);
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  request({ port, method: 'POST', headers, agent: false }, (response) => response.resume()).end(body);
  try {
    return await found.promise;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const x = suite('bytes of a large body');

x('arrive whole and in order, and are held no longer than they are read', async () => {
  const { bytes, held } = await readLarge({}, BODY);
  assert.ok(bytes.equals(BODY));
  assert.is(held, 0);
});

x('arrive whole when they were compressed', async () => {
  const { bytes } = await readLarge({ 'content-encoding': 'gzip' }, gzipSync(BODY));
  assert.ok(bytes.equals(BODY));
});

x.run();
