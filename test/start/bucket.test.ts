import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readEnv } from '../../src/env.js';
import { tellUnusableBucket } from '../../src/installation/start-checks.js';
import { createLogger } from '../../src/kernel/logger.js';
import { openObjectStore } from '../../src/storage/objects/open-object-store.js';

const bucket = suite('a bucket that cannot be used when the server starts');

for (const [status, says] of [
  [200, null],
  [403, /refuses the key for the bucket "b"; check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY/],
  [404, /has no bucket "b"; create it, or name another in S3_BUCKET/],
  [500, /cannot be used \(500\); start it, or correct S3_ENDPOINT/],
] as const) {
  bucket(`is told in one line that says what to do, when it answers ${status}`, async () => {
    const store = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
    await once(store, 'listening');
    const place = `127.0.0.1:${(store.address() as AddressInfo).port}`;
    const env = readEnv({
      S3_ENDPOINT: `http://user:not-told@${place}`,
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'not-told',
      S3_SECRET_ACCESS_KEY: 'not-told',
    });
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => lines.push(line) });
    const objects = await openObjectStore(env, { linkBase: '', linkSecret: '' });
    await tellUnusableBucket(objects, env, logger);
    store.close();
    store.closeAllConnections();
    assert.is(lines.length, says ? 1 : 0);
    if (!says) return;
    const { msg } = JSON.parse(lines[0] ?? '') as { msg: string };
    assert.match(msg, says);
    assert.ok(msg.startsWith(`The object store at http://${place} `), msg);
    assert.not.match(lines.join(), /not-told/);
  });
}

bucket.run();
