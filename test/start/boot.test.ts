import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { createEmptyDatabase } from '../support/database.js';

const boot = suite('starting and stopping');

const quiet = { LOG_LEVEL: 'error' };

boot(
  'three processes on one empty database all come up, and one makes the demo project, telling no secret',
  async () => {
    const database = await createEmptyDatabase();
    let servers: ServerProcess[] = [];
    try {
      servers = await Promise.all(
        Array.from({ length: 3 }, () => startServerProcess({ env: { ...quiet, DATABASE_URL: database.url } })),
      );
      const files = await Promise.all(servers.map((server) => readdir(server.dataDir)));
      const made = servers.filter((_, n) => files[n]?.includes('first-run.json'));
      assert.is(made.length, 1);
      const [{ dataDir, firstRun, output }] = made as [ServerProcess];
      const { owner, tokens, api_keys: keys, deploy_token } = await firstRun();
      assert.match(output(), join(dataDir, 'first-run.json'), 'where the password is');
      for (const secret of [owner.password, tokens.owner, keys.live, keys.test, deploy_token])
        assert.not.match(output(), secret);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await database.drop();
    }
  },
);

boot(
  'on the embedded database, what was answered survives kill -9 of the server, and a restart drains cleanly',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-boot-'));
    try {
      const first = await startServerProcess({ dataDir, env: quiet });
      const made = await first.firstRun();
      const item = made.sample.config_item_id;
      const change = async (server: ServerProcess, value: string) => {
        await new Client(server.url)
          .withToken(made.tokens.owner)
          .graphql('mutation($i: ID!, $v: String!) { updateConfigItem(input: { id: $i, value: $v }) { id } }', {
            i: item,
            v: value,
          });
      };
      await change(first, '1234');
      assert.is(await first.end('SIGKILL'), 'SIGKILL');
      const second = await startServerProcess({ dataDir, env: quiet });
      const { body } = await new Client(second.url)
        .withToken(made.tokens.owner)
        .get(`/api/v1/config/items/${item}/versions`);
      assert.is((body as { versions: { value_snapshot: string }[] }).versions[0]?.value_snapshot, '1234');
      const underWay = Promise.all(Array.from({ length: 8 }, (_, index) => change(second, String(2_000 + index))));
      await new Promise((resolve) => setTimeout(resolve, 5));
      const ended = second.end('SIGTERM');
      await underWay.catch(() => undefined);
      assert.is(await ended, 0, second.output());
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

boot('a setting that is wrong stops the start with a sentence that names it', async () => {
  let message = '';
  await startServerProcess({ env: { MAX_BODY_BYTES: 'much' } }).catch((error: Error) => {
    message = error.message;
  });
  assert.match(message, /MAX_BODY_BYTES must be a whole number/);
});

boot.run();
