import { createServer, request, type Server } from 'node:http';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BodyBudget } from '../../src/kernel/bodies/body-budget.js';
import { RequestBytes } from '../../src/kernel/bodies/request-bytes.js';
import { openLocally } from '../support/receivers/open-locally.js';

const BODY = Buffer.alloc(3_000_000, 'a b c');

/** What a server returns after reading a body. */
async function readBy<T>(
  reading: (source: RequestBytes) => Promise<T>,
  headers: Record<string, string>,
  body: Buffer,
): Promise<T> {
  const found = Promise.withResolvers<T>();
  const server: Server = createServer(async (message, response) => {
    try {
      found.resolve(await reading(new RequestBytes(message, 10_000_000, new BodyBudget().open('test'))));
    } catch (error) {
      found.reject(error);
    }
    response.end();
  });
  request(await openLocally(server), { method: 'POST', headers, agent: false }, (response) => response.resume()).end(
    body,
  );
  try {
    return await found.promise;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/**
 * Reads a body the way ingestion reads a large one. Returns the bytes, and how many of them were still held at the end.
 */
async function inChunks(source: RequestBytes): Promise<{ bytes: Buffer; held: number }> {
  const chunks: Buffer[] = [];
  const copies: Buffer[] = [];
  assert.is(await source.whole(100_000), null);
  for await (const chunk of source.rest()) {
    chunks.push(chunk);
    copies.push(Buffer.from(chunk));
  }
  return { bytes: Buffer.concat(copies), held: chunks.reduce((sum, { length }) => sum + length, 0) };
}

const x = suite('bytes of a large body');

x('arrive whole and in order, and are released as they are read', async () => {
  const { bytes, held } = await readBy(inChunks, {}, BODY);
  assert.ok(bytes.equals(BODY));
  assert.is(held, 0);
});

x('arrive whole when compressed', async () => {
  const { bytes } = await readBy(inChunks, { 'content-encoding': 'gzip' }, gzipSync(BODY));
  assert.ok(bytes.equals(BODY));
});

x("arrive whole as deflate of every level, with zlib's header and without", async () => {
  const all = (source: RequestBytes) => source.all();
  const headers = { 'content-encoding': 'deflate' };
  for (const encode of [deflateSync, deflateRawSync]) {
    for (const level of [0, 1, 6, 9]) {
      const { bytes } = await readBy(inChunks, headers, encode(BODY, { level }));
      assert.ok(bytes.equals(BODY), `${encode.name} ${level}`);
      for (const text of ['{"a":1}', '{}', '0'.repeat(70_000)])
        assert.is(String(await readBy(all, headers, encode(text, { level }))), text, `${encode.name} ${level}`);
    }
  }
});

x('of deflate that is cut off or damaged are refused, and nothing behind its end is read', async () => {
  const all = (source: RequestBytes) => source.all();
  const read = (body: Buffer) => readBy(all, { 'content-encoding': 'deflate' }, body).then(String, ({ code }) => code);
  for (const encode of [deflateSync, deflateRawSync]) {
    const whole = encode('{"a":1}');
    assert.is(await read(whole.subarray(0, -5)), 'invalid_body');
    assert.is(await read(Buffer.concat([whole, Buffer.from('more')])), '{"a":1}');
  }
  assert.is(await read(Buffer.from([0xff, 0xff, 0xff])), 'invalid_body');
  assert.is(await read(Buffer.alloc(0)), 'invalid_body');
});

x('can be read as one buffer with its own memory', async () => {
  const all = (source: RequestBytes) => source.all();
  for (const bytes of [
    await readBy(all, {}, BODY),
    await readBy(all, { 'content-encoding': 'gzip' }, gzipSync(BODY)),
  ]) {
    assert.ok(bytes.equals(BODY));
    assert.is(bytes.buffer.byteLength, BODY.length);
  }
});

x.run();
