import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Env, readEnv } from '../../src/env.js';
import { warnOfUnusableObjects } from '../../src/installation/start-checks.js';
import { createLogger } from '../../src/kernel/logger.js';
import { openObjectStore } from '../../src/storage/objects/open-object-store.js';
import { openLocally } from '../support/receivers/open-locally.js';

const store = suite('an object store that cannot be used when the server starts');

async function toldOf(env: Env): Promise<string[]> {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  await warnOfUnusableObjects(await openObjectStore(env, { linkBase: '', linkSecret: '' }), env, logger);
  return lines;
}

for (const [status, says] of [
  [200, null],
  [403, /rejects the key for the bucket "b"\. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY/],
  [404, /has no bucket "b"\. Create it, or set S3_BUCKET to another/],
  [500, /cannot be used \(500\)\. Start it, or correct S3_ENDPOINT/],
] as const) {
  store(`a bucket that answers ${status} is reported in one line that says what to do`, async () => {
    const server = createServer((_, response) => response.writeHead(status).end());
    const { host: place } = new URL(await openLocally(server));
    const env = readEnv({
      S3_ENDPOINT: `http://user:not-told@${place}`,
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'not-told',
      S3_SECRET_ACCESS_KEY: 'not-told',
    });
    const lines = await toldOf(env);
    server.close();
    server.closeAllConnections();
    assert.is(lines.length, says ? 1 : 0);
    if (!says) return;
    const { msg } = JSON.parse(lines[0] ?? '') as { msg: string };
    assert.match(msg, says);
    assert.ok(msg.startsWith(`The object store at http://${place} `), msg);
    assert.not.match(lines.join(), /not-told/);
  });
}

store('a bucket without a key is reported with the setting to add', async () => {
  const found = { ...process.env };
  // Otherwise the client would pick up a key from the machine's account.
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_SHARED_CREDENTIALS_FILE: '/none',
    AWS_CONFIG_FILE: '/none',
  });
  try {
    const lines = await toldOf(readEnv({ S3_ENDPOINT: 'http://127.0.0.1:9', S3_BUCKET: 'b' }));
    assert.is(lines.length, 1);
    assert.match(lines[0] ?? '', /wants a key, and none is set; set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/);
  } finally {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    Object.assign(process.env, found);
  }
});

store('a folder that cannot be written to is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-objects-'));
  await writeFile(join(folder, 'objects'), '');
  const [line, ...more] = await toldOf(readEnv({ DATA_DIR: folder }));
  await rm(folder, { recursive: true });
  assert.match(line ?? '', /The object store in DATA_DIR cannot be used \(E\w+: .*objects/);
  assert.equal(more, []);
});

store.run();
