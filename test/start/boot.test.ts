import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client as PgClient } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { embeddedUrl } from '../../src/storage/embedded/postgres-lease.js';
import { inherited, type ServerProcess, serverFile, startServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { createEmptyDatabase } from '../support/database.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { until } from '../support/until.js';

const boot = suite('starting and stopping');

const quiet = { LOG_LEVEL: 'error' };

boot(
  'three processes on one empty database all start, and one creates the demo project without printing a secret',
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
      assert.match(output(), join(dataDir, 'first-run.json'), 'it says where the password is');
      for (const secret of [owner.password, tokens.owner, keys.live, keys.test, deploy_token])
        assert.not.match(output(), secret);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await database.drop();
    }
  },
);

boot(
  'on the embedded database, acknowledged writes survive kill -9 of the server, and the restarted server shuts down cleanly',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-boot-'));
    try {
      const first = await startServerProcess({ dataDir, env: { ...quiet, DATABASE_POOL: '64' } });
      const launcher = JSON.parse(await readFile(join(dataDir, 'postgres', 'launcher.json'), 'utf8'));
      const direct = new PgClient({ connectionString: embeddedUrl(launcher.port, launcher.password) });
      await direct.connect();
      const { rows } = await direct.query('show max_connections');
      await direct.end();
      assert.ok(Number(rows[0].max_connections) >= 3 * 2 * 64, 'three processes have room for both their pools');
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
      const away = {
        REDIS_URL: 'redis://:not-told@127.0.0.1:1',
        S3_ENDPOINT: 'http://127.0.0.1:1/',
        S3_ACCESS_KEY_ID: 'not-told',
        S3_SECRET_ACCESS_KEY: 'not-told',
        DATABSE_URL: 'not-told',
      };
      const second = await startServerProcess({ dataDir, env: { LOG_LEVEL: 'warn', ...away } });
      const { body } = await new Client(second.url)
        .withToken(made.tokens.owner)
        .get(`/api/v1/config/items/${item}/versions`);
      assert.is((body as { versions: { value_snapshot: string }[] }).versions[0]?.value_snapshot, '1234');
      const underWay = Promise.all(Array.from({ length: 8 }, (_, index) => change(second, String(2_000 + index))));
      await new Promise((resolve) => setTimeout(resolve, 5));
      const ended = second.end('SIGTERM');
      await underWay.catch(() => undefined);
      assert.is(await ended, 0, second.output());
      assert.is(second.output().match(/Redis does not answer/g)?.length, 1, second.output());
      assert.is(
        second.output().match(/DATABSE_URL is not a setting of the server; did you mean DATABASE_URL/g)?.length,
        1,
      );
      const noObjects =
        /The object store at http:\/\/127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\)\. Start it, or correct S3_ENDPOINT/g;
      assert.is(second.output().match(noObjects)?.length, 1, second.output());
      assert.not.match(second.output(), /not-told/);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

/** What a server prints when it cannot start. */
async function refusal(folder: string, settings: Record<string, string>): Promise<string> {
  const env = { ...inherited(), HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, ...settings };
  const server = spawn(process.execPath, [serverFile], { env });
  const [said, failure, [code]] = await Promise.all([text(server.stdout), text(server.stderr), once(server, 'exit')]);
  assert.equal([code, failure], [1, ''], said);
  return said;
}

boot(
  'a misconfiguration stops startup quickly, with one line that says what to change, and leaves nothing behind',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-refused-'));
    const file = join(folder, 'file');
    await writeFile(file, '');
    const database = await createEmptyDatabase();
    const [wrongPassword, noDatabase, noUser] = [database.url, database.url, database.url].map(
      (url) => new URL(url),
    ) as [URL, URL, URL];
    [noUser.username, noUser.password] = ['', ''];
    wrongPassword.password = 'not-the-password';
    noDatabase.pathname = '/not-there';
    const taken = createServer();
    const { port } = new URL(await openLocally(taken));
    const cases: [settings: Record<string, string>, says: RegExp][] = [
      [{ MAX_BODY_BYTES: 'much' }, /^MAX_BODY_BYTES must be a whole number from .*$/],
      [{ PORT: port }, new RegExp(`^PORT ${port} on 127\\.0\\.0\\.1 is already in use.*$`)],
      [{ ROLE: 'worker', PROBE_PORT: port }, new RegExp(`^PROBE_PORT ${port} on .* is already in use.*$`)],
      [{ PORT: port, HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 cannot be listened on .*$/],
      [{ DATA_DIR: file }, /^DATA_DIR is .*\/file, which is not a folder.*$/],
      [{ DATA_DIR: join(file, 'below') }, /^DATA_DIR is .*\/below, which is not a folder.*$/],
      [
        { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/x' },
        /^DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:1 .*$/,
      ],
      [
        { DATABASE_URL: 'postgres://ada@127.0.0.1:1/x?sslrootcert=/none.pem' },
        /^DATABASE_URL cannot be used \(.*none\.pem.*$/,
      ],
      [{ DATABASE_URL: noUser.href }, /^DATABASE_URL must contain a user, .*$/],
      [{ DATABASE_URL: wrongPassword.href }, /^DATABASE_URL: PostgreSQL at .* rejects the user .*$/],
      [{ DATABASE_URL: noDatabase.href }, /^DATABASE_URL: PostgreSQL at .* has no database "not-there".*$/],
    ];
    if (process.platform === 'linux') cases.push([{ DATA_DIR: '/proc/none' }, /^DATA_DIR is \/proc\/none, which .*$/]);
    try {
      await Promise.all(
        cases.map(async ([settings, says], at) => {
          const dataDir = join(folder, String(at));
          const said = await refusal(dataDir, settings);
          assert.match(said.trimEnd(), says);
          assert.not.match(said, /secret|not-the-password/);
          if (!settings.DATABASE_URL) assert.is(await stat(dataDir).catch(() => null), null);
        }),
      );
    } finally {
      taken.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

boot('a stop request during startup is handled cleanly and not reported as a failure', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-stopped-'));
  const env = { ...inherited(), HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn' };
  try {
    for (const step of ['creating the cluster', 'ready on 127.0.0.1']) {
      const server = spawn(process.execPath, [serverFile], { env });
      let said = '';
      server.stdout.on('data', (part: Buffer) => {
        const isThere = said.includes(step);
        said += part;
        if (!isThere && said.includes(step)) server.kill('SIGTERM');
      });
      const [failure, [code]] = await Promise.all([text(server.stderr), once(server, 'exit')]);
      assert.match(said, step);
      assert.equal([code, failure], [0, ''], said);
      assert.not.match(said, /"level":|Quarterdeck is ready/);
      assert.is(
        await stat(join(folder, 'postgres', 'postmaster.pid')).catch(() => null),
        null,
        'its database has ended',
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** A request that the server is reading, on a connection that the client would use again; the end of its body is missing. */
async function unfinished(address: string, key: string) {
  const request = httpRequest(`${address}/api/v1/track`, {
    agent: new Agent({ keepAlive: true }),
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', expect: '100-continue' },
  });
  // What goes wrong is in its status.
  request.on('error', () => undefined).flushHeaders();
  const [socket] = (await once(request, 'socket')) as [Socket];
  await once(request, 'continue');
  request.write('{"event_name":"stopped","distinct_id":"ada"');
  const status = once(request, 'response').then(([response]) => (response as IncomingMessage).resume().statusCode);
  return { status, disconnected: once(socket, 'close'), finish: () => request.end('}') };
}

boot(
  'a server that stops answers open requests and disconnects those it has answered, not only at the end',
  async () => {
    const server = await startServerProcess({ env: quiet });
    try {
      const { live } = (await server.firstRun()).api_keys;
      const [first, second] = [await unfinished(server.url, live), await unfinished(server.url, live)];
      const ended = server.end('SIGTERM');
      await until('it accepts no more', () =>
        fetch(`${server.url}/healthz`).then(
          () => false,
          () => true,
        ),
      );
      first.finish();
      assert.is(await first.status, 200);
      await first.disconnected;
      second.finish();
      assert.is(await second.status, 200, 'the other was still open');
      assert.is(await ended, 0);
    } finally {
      await server.stop();
    }
  },
);

boot('no demo project is created if its owner’s password cannot be saved', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-unkept-'));
  const file = join(folder, 'file');
  await writeFile(file, '');
  const database = await createEmptyDatabase();
  try {
    const said = await refusal(file, { ...quiet, DATABASE_URL: database.url, JWT_SECRET: 'x'.repeat(40) });
    assert.match(said.trimEnd(), /^DATA_DIR is .*\/file, which is not a folder; choose a folder\.$/);
    const server = await startServerProcess({ env: { ...quiet, DATABASE_URL: database.url } });
    assert.ok((await server.firstRun()).owner.password, 'the next start creates it');
    await server.stop();
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

boot.run();
