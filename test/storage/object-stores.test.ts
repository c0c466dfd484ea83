import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DiskObjects } from '../../src/storage/objects/disk-objects.js';
import { verifyObjectLink } from '../../src/storage/objects/object-links.js';
import { ObjectNotFound, type ObjectStore, ObjectStoreUnavailable } from '../../src/storage/objects/object-store.js';
import { S3Objects } from '../../src/storage/objects/s3-objects.js';
import { hostileReceiver, silent } from '../support/receivers/hostile-receiver.js';
import { until } from '../support/until.js';

const require = createRequire(import.meta.url);
const mebibyte = 1024 * 1024;
const hostileKeys = [
  '../../etc/passwd',
  '.uploads/x',
  '/abs',
  'a//b',
  'naïve \u0000\n?&%2e/..',
  '%2e%2e/x',
  'trailing/',
  'ünï/☃',
];

interface World {
  store: ObjectStore;
  folder: string;
  close(): Promise<void>;
}

const secret = 'a secret of the test that signs links';

async function disk(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'objects-'));
  const store = new DiskObjects({
    folder: join(folder, 'objects'),
    linkBase: 'http://host/objects',
    linkSecret: secret,
  });
  return { store, folder, close: () => rm(folder, { recursive: true, force: true }) };
}

async function s3(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'bucket-'));
  const S3rver = require('s3rver') as new (options: object) => { run(): Promise<AddressInfo> };
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'bucket' }],
  });
  const { port } = await server.run();
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const store = new S3Objects({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', bucket: 'bucket', ...keys });
  const { httpServer } = server as unknown as { httpServer: Server };
  const close = async () => {
    httpServer.close();
    httpServer.closeAllConnections();
    await once(httpServer, 'close');
    await rm(folder, { recursive: true, force: true });
  };
  return { store, folder, close };
}

async function* pieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
}

async function* breaks(content: Buffer, error: Error): AsyncGenerator<Buffer> {
  yield* pieces(content, 64 * 1024);
  throw error;
}

/** Aborts after a megabyte has been read, but never ends by itself. */
async function* endless(abort: AbortController): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += 1) {
    if (at === 16) abort.abort();
    yield Buffer.alloc(64 * 1024);
  }
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function keysOf(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

for (const [name, open] of Object.entries({ disk, s3 })) {
  const x = suite(`objects on ${name}`);
  let world: World;
  x.before(async () => {
    world = await open();
  });
  x.after(() => world.close());

  x('returns what was stored, whole and in ranges, for sizes around the block size', async () => {
    for (const size of [0, 1, 8 * mebibyte - 1, 8 * mebibyte, 20 * mebibyte + 7]) {
      const content = randomBytes(size);
      const receipt = await world.store.put('sizes/object', pieces(content, 100_003));
      assert.equal(receipt, { bytes: size, sha256: sha256(content) });
      assert.is((await world.store.stat('sizes/object'))?.bytes, size);
      assert.ok((await buffer(await world.store.get('sizes/object'))).equals(content));
      if (size < 2) continue;
      const range = await buffer(await world.store.get('sizes/object', { first: 1, last: size - 2 }));
      assert.ok(range.equals(content.subarray(1, size - 1)));
    }
    await world.store.delete('sizes/object');
  });

  x('keeps hostile keys separate and inside the store', async () => {
    for (const key of hostileKeys) await world.store.put(key, Readable.from([Buffer.from(key)]));
    for (const key of hostileKeys) assert.is((await buffer(await world.store.get(key))).toString(), key);
    assert.equal(await keysOf(world.store), [...hostileKeys].sort());
    assert.equal(await keysOf(world.store, '../'), ['../../etc/passwd']);
    assert.equal(await keysOf(world.store, 'a/'), ['a//b']);
    for (const key of hostileKeys) await world.store.delete(key);
    assert.equal(await keysOf(world.store), []);
    for (const key of ['', 'x'.repeat(300), 'x/'.repeat(600)]) {
      assert.instance(await failure(world.store.put(key, Readable.from([]))), RangeError);
    }
  });

  x('reports missing objects, and deletes them without an error', async () => {
    assert.is(await world.store.stat('missing/thing'), undefined);
    assert.instance(await failure(world.store.get('missing/thing')), ObjectNotFound);
    await world.store.delete('missing/thing');
    await world.store.check();
  });

  x('keeps nothing of an aborted upload, and preserves the object it would have replaced', async () => {
    await world.store.put('kept', Readable.from([Buffer.from('before')]));
    const broken = new Error('the client went away');
    for (const size of [1000, 20 * mebibyte]) {
      assert.is(await failure(world.store.put('kept', breaks(randomBytes(size), broken))), broken);
      assert.is(await failure(world.store.put('fresh', breaks(randomBytes(size), broken))), broken);
    }
    const abort = new AbortController();
    assert.is(
      (await failure(world.store.put('aborted', Readable.from(endless(abort)), abort.signal)))?.name,
      'AbortError',
    );
    assert.is((await buffer(await world.store.get('kept'))).toString(), 'before');
    assert.equal(await keysOf(world.store), ['kept']);
    await world.store.delete('kept');
  });

  x('replaces an object atomically while it is being read', async () => {
    const old = Buffer.alloc(3 * mebibyte, 1);
    await world.store.put('replaced', pieces(old, mebibyte));
    const reading = await world.store.get('replaced');
    await world.store.put('replaced', Readable.from([Buffer.from('new')]));
    if (name === 'disk') assert.ok((await buffer(reading)).equals(old));
    reading.destroy();
    assert.is((await buffer(await world.store.get('replaced'))).toString(), 'new');
  });

  x('handles many concurrent uploads and deletes of neighbouring keys', async () => {
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        await world.store.put(`crowd/${n % 3}/${n}`, Readable.from([Buffer.from(String(n))]));
        if (n % 2) await world.store.delete(`crowd/${n % 3}/${n}`);
      }),
    );
    assert.is((await keysOf(world.store, 'crowd/')).length, 15);
  });

  if (name === 's3') {
    x('signs links that expire and name the file', async () => {
      await world.store.put('linked', Readable.from([Buffer.from('linked bytes')]));
      const url = await world.store.temporaryUrl('linked', {
        now: new Date(),
        expiresInSeconds: 300,
        fileName: 'ä b.map',
      });
      assert.match(url, /X-Amz-Expires=300/);
      const answer = await fetch(url);
      assert.is(await answer.text(), 'linked bytes');
      assert.is(answer.headers.get('content-disposition'), "attachment; filename*=UTF-8''%C3%A4%20b.map");
    });

    x('signs links for its public address', async () => {
      const endpoints = { endpoint: 'http://inside:1', publicEndpoint: 'https://files.example' };
      const store = new S3Objects({ ...endpoints, region: 'r', bucket: 'b', accessKeyId: 'k', secretAccessKey: 's' });
      const url = await store.temporaryUrl('a/b', { now: new Date(), expiresInSeconds: 60, fileName: 'x' });
      assert.match(url, /^https:\/\/files\.example\/b\/a\/b\?/);
    });

    x('reports itself unavailable when the endpoint is down', async () => {
      const away = new S3Objects({
        endpoint: 'http://127.0.0.1:9',
        region: 'r',
        bucket: 'b',
        accessKeyId: 'k',
        secretAccessKey: 's',
      });
      assert.instance(await failure(away.put('x', Readable.from([Buffer.from('x')]))), ObjectStoreUnavailable);
      assert.instance(await failure(away.get('x')), ObjectStoreUnavailable);
      assert.instance(await failure(away.check()), ObjectStoreUnavailable);
    });

    x('asks a bucket that does not answer once, however often its health is checked', async () => {
      const receiver = await hostileReceiver(silent, { host: '127.0.0.1' });
      const endpoint = receiver.url;
      const store = new S3Objects({ endpoint, region: 'r', bucket: 'b', accessKeyId: 'k', secretAccessKey: 's' });
      const checks = Array.from({ length: 20 }, () => failure(store.check()));
      await until('the request', () => receiver.requests.length > 0);
      checks.push(failure(store.check()));
      await receiver.close();
      for (const error of await Promise.all(checks)) assert.instance(error, ObjectStoreUnavailable);
      assert.is(receiver.requests.length, 1);
    });
  } else {
    x('signs links that stop working when altered or expired', async () => {
      const now = new Date('2026-01-02T03:04:05.678Z');
      const url = new URL(await world.store.temporaryUrl('a/b', { now, expiresInSeconds: 300, fileName: 'ä b.map' }));
      const object = url.pathname.split('/').at(-1) ?? '';
      const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
      assert.equal(verifyObjectLink([secret], object, url.searchParams, at(299)), { key: 'a/b', fileName: 'ä b.map' });
      assert.is(verifyObjectLink([secret], object, url.searchParams, at(301)), undefined);
      assert.is(verifyObjectLink(['another'], object, url.searchParams, now), undefined);
      assert.is(verifyObjectLink([secret], Buffer.from('a/c').toString('base64url'), url.searchParams, now), undefined);
      assert.is(verifyObjectLink([secret], `${object}=`, url.searchParams, now), undefined);
      for (const name of ['expires', 'name', 'signature']) {
        for (const value of [
          '',
          '-1',
          'NaN',
          '1e999',
          '99999999999',
          (url.searchParams.get(name) ?? '').toUpperCase(),
        ]) {
          if (value === url.searchParams.get(name)) continue;
          const changed = new URLSearchParams(url.searchParams);
          changed.set(name, value);
          assert.is(verifyObjectLink([secret], object, changed, now), undefined, `${name}=${value}`);
        }
        const twice = new URLSearchParams(url.searchParams);
        twice.append(name, twice.get(name) ?? '');
        assert.is(verifyObjectLink([secret], object, twice, now), undefined);
        const missing = new URLSearchParams(url.searchParams);
        missing.delete(name);
        assert.is(verifyObjectLink([secret], object, missing, now), undefined);
      }
    });

    x('removes what killed uploads left behind, and nothing else', async () => {
      const uploads = join(world.folder, 'objects', '.uploads');
      assert.equal(await readdir(uploads), []);
      await mkdir(uploads, { recursive: true });
      await writeFile(join(uploads, 'old'), 'x');
      await writeFile(join(uploads, 'running'), 'x');
      await utimes(join(uploads, 'old'), 1000, 1000);
      assert.is(await world.store.sweepUploads(new Date(Date.now() - 3_600_000)), 1);
      assert.equal(await readdir(uploads), ['running']);
    });

    x('reports itself unavailable when there is a file in place of a folder', async () => {
      const { store, folder, close } = await disk();
      await store.put('kept', Readable.from([Buffer.from('x')]));
      const below = store.put('kept/below', Readable.from([Buffer.from('x')]));
      assert.instance(await failure(below), ObjectStoreUnavailable);
      assert.equal(await readdir(join(folder, 'objects', '.uploads')), []);
      await rm(join(folder, 'objects'), { recursive: true });
      await writeFile(join(folder, 'objects'), '');
      assert.instance(await failure(store.check()), ObjectStoreUnavailable);
      const put = store.put('key', Readable.from([Buffer.from('x')]));
      assert.instance(await failure(put), ObjectStoreUnavailable);
      await close();
    });
  }
  x.run();
}

async function failure(work: Promise<unknown>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: Error) => error,
  );
}
