import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js';
import { machineSettings } from '../../src/storage/embedded/machine-settings.js';
import { findPostgresBinaries, locatePostgresPackage } from '../../src/storage/embedded/postgres-binaries.js';
import { isServer } from '../../src/storage/embedded/postgres-process.js';
import { type ProcessUser, unprivilegedUser } from '../../src/storage/embedded/unprivileged-user.js';
import { machineHas } from '../runner/machine.js';
import { until } from '../support/until.js';

const x = suite('embedded database');
const root = process.getuid?.() === 0;
const folders: string[] = [];
const hosts: ChildProcess[] = [];
const quiet = { onProgress: () => {} };
let used: string | undefined;

x.after(async () => {
  for (const host of hosts) host.stdin?.end();
  await Promise.all(hosts.map((host) => host.exitCode ?? host.signalCode ?? once(host, 'exit')));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  folders.push(folder);
  return folder;
}

/** A data folder with a cluster. Tests pass it on, because creating one takes a second. */
async function usedFolder(): Promise<string> {
  used ??= await newFolder();
  return used;
}

async function ask<T>(url: string, sql: string): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows as T;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The first answer; ignores failures while the database is not back yet. */
const eventually = <T>(work: () => Promise<T>): Promise<T> =>
  until('the database', () =>
    work().then(
      (answer) => ({ answer }),
      () => null,
    ),
  ).then(({ answer }) => answer);

async function host(dataDir: string, user?: ProcessUser): Promise<{ process: ChildProcess; url: string }> {
  const program = fileURLToPath(new URL('./embedded-host.js', import.meta.url));
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'], ...user });
  hosts.push(child);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { process: child, url: line.toString().trim() };
}

/** Nobody listens on the socket, or it does not exist. */
const REFUSED = /ECONNREFUSED|ENOENT/;

async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

x('is shared by processes that start at the same time on an empty folder', async () => {
  const dataDir = await usedFolder();
  const both = await Promise.all([host(dataDir), host(dataDir)]);
  assert.is(both[0].url, both[1].url);
  for (const { process } of both) {
    assert.equal(await eventually(() => ask(both[0].url, 'select 1 as n')), [{ n: 1 }]);
    process.stdin?.end();
    await once(process, 'exit');
  }
});

x(
  'cleans up after a killed first start and other versions, then keeps its data with durable settings, even in a folder that only root may enter',
  async () => {
    const closed = await newFolder();
    await chmod(closed, 0o700);
    const dataDir = join(closed, 'data');
    await mkdir(join(dataDir, 'postgres.new-killed', 'base'), { recursive: true });
    for (const name of ['postgres-programs', 'postgres-programs-17.0.0', 'postgres-programs-18.0.0-killed'])
      await mkdir(join(dataDir, name, 'bin'), { recursive: true });
    await writeFile(join(dataDir, 'postgres.new-killed.password'), 'x');
    const lines: string[] = [];
    const first = await startEmbeddedDatabase({ dataDir, onProgress: (line) => lines.push(line) });
    await ask(first.url, 'create table kept as select 42 as answer');
    const settings = await ask(
      first.url,
      `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    );
    assert.equal(settings, [
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    await first.stop();
    await first.stop();
    assert.equal((await readdir(dataDir)).sort(), ['postgres', 'postgres.log']);
    assert.match(lines.join('\n'), /creating the cluster/);
    assert.not.match(lines.join('\n'), new RegExp(new URL(first.url).password));
    const second = await startEmbeddedDatabase({ dataDir, ...quiet });
    assert.is(second.url, first.url);
    assert.equal(await ask(second.url, 'select answer from kept'), [{ answer: 42 }]);
    await second.stop();
    await rejects(ask(second.url, 'select 1'), REFUSED);
  },
);

x('does not log the values of a failing statement, and limits the size of its log', async () => {
  const dataDir = await usedFolder();
  const database = await startEmbeddedDatabase({ dataDir, ...quiet });
  const log = join(dataDir, 'postgres.log');
  await ask(database.url, 'create table told (name text primary key, n int not null)');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const insert = 'insert into told values ($1, $2)';
  for (const n of [1, 1, null]) await client.query(insert, ['a secret text', n]).catch(() => {});
  await client.query(`select 'a secret text', 1 / 0`).catch(() => {});
  await client.end();
  const logged = await readFile(log, 'utf8');
  assert.match(logged, /duplicate key value/);
  assert.match(logged, /division by zero/);
  assert.not.match(logged, /secret/);
  await appendFile(log, `${'x'.repeat(1023)}\n`.repeat(9 * 1024));
  await until('the log is emptied', async () => (await stat(log)).size < 1024 * 1024);
  assert.ok((await stat(`${log}.old`)).size > 8 * 1024 * 1024);
  await rejects(ask(database.url, 'select 1 / 0'), /division by zero/);
  assert.match(await readFile(log, 'utf8'), /^[^\0]*division by zero/);
  await database.stop();
});

x('is reached through the socket in its folder, or by TCP if the path is too long for a socket', async () => {
  const dataDir = await usedFolder();
  const near = await startEmbeddedDatabase({ dataDir, ...quiet });
  const transport = 'select inet_server_addr() is null as by_socket';
  assert.equal(await ask(near.url, transport), [{ by_socket: true }]);
  assert.equal(await ask(near.tcpUrl, transport), [{ by_socket: false }]);
  await near.stop();
  const long = join(await newFolder(), 'a-long-name-'.repeat(8));
  await rename(dataDir, long);
  const far = await startEmbeddedDatabase({ dataDir: long, ...quiet });
  assert.equal(await ask(far.url, transport), [{ by_socket: false }]);
  await far.stop();
  await rename(long, dataDir);
});

x('requires the password', async () => {
  const database = await startEmbeddedDatabase({ dataDir: await usedFolder(), ...quiet });
  const forged = new URL(database.url);
  forged.password = 'guess';
  await rejects(ask(forged.href, 'select 1'), /password authentication failed/);
  const settings = await stat(join(await usedFolder(), 'postgres', 'launcher.json'));
  assert.is(settings.mode & 0o077, 0);
  await database.stop();
});

x('comes back on the same URL after kill -9 of the postmaster, even with a busy backend', async () => {
  const dataDir = await usedFolder();
  const database = await startEmbeddedDatabase({ dataDir, ...quiet });
  await ask(database.url, 'create table killed as select 1 as n');
  const busy = ask(database.url, 'select count(*) from generate_series(1, 20000000000)').catch(() => {});
  const active = `select from pg_stat_activity where state = 'active' and query like '%20000000000)'`;
  await until('the backend is busy', async () => (await ask<object[]>(database.url, active)).length > 0);
  process.kill(await postmaster(dataDir), 'SIGKILL');
  const rows = await eventually(() => ask(database.url, 'insert into killed values (2) returning n'));
  assert.equal(rows, [{ n: 2 }]);
  assert.equal(await ask(database.url, 'select n from killed order by n'), [{ n: 1 }, { n: 2 }]);
  await busy;
  await database.stop();
});

x('restarts on the same URL after one of its processes crashes', async () => {
  const dataDir = await usedFolder();
  const database = await startEmbeddedDatabase({ dataDir, ...quiet });
  const crashed = await postmaster(dataDir);
  const [writer] = await ask<{ pid: number }[]>(
    database.url,
    `select pid from pg_stat_activity where backend_type = 'walwriter'`,
  );
  process.kill(writer?.pid ?? 0, 'SIGABRT');
  await eventually(async () => assert.is.not(await postmaster(dataDir), crashed));
  assert.equal(await eventually(() => ask(database.url, 'select 1 as n')), [{ n: 1 }]);
  await database.stop();
});

x('keeps its data after kill -9 of the process that started it', async () => {
  const dataDir = await usedFolder();
  const first = await host(dataDir);
  await ask(first.url, 'create table orphaned as select 7 as n');
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  const second = await startEmbeddedDatabase({ dataDir, ...quiet });
  assert.equal(await ask(second.url, 'select n from orphaned'), [{ n: 7 }]);
  await second.stop();
});

x('starts despite the files of a killed server whose process id now belongs to another process', async () => {
  const dataDir = await usedFolder();
  const first = await startEmbeddedDatabase({ dataDir, ...quiet });
  const left = new Map<string, string>();
  for (const name of await readdir(join(dataDir, 'postgres')))
    if (/^postmaster\.pid$|\.lock$/.test(name)) left.set(name, await readFile(join(dataDir, 'postgres', name), 'utf8'));
  assert.is(left.size, 2);
  await first.stop();
  const stranger = spawn('sleep', ['3600'], { ...unprivilegedUser() });
  for (const [name, text] of left)
    await writeFile(join(dataDir, 'postgres', name), text.replace(/^\d+/, String(stranger.pid)));
  const second = await startEmbeddedDatabase({ dataDir, ...quiet });
  assert.is(second.url, first.url);
  assert.equal(await ask(second.url, 'select 1 as n'), [{ n: 1 }]);
  assert.is(stranger.exitCode ?? stranger.signalCode, null);
  stranger.kill();
  await second.stop();
});

if (machineHas('ps'))
  x('also uses the process table to tell a server from another process with the same id', async () => {
    const dataDir = await usedFolder();
    const database = await startEmbeddedDatabase({ dataDir, ...quiet });
    const server = await postmaster(dataDir);
    const stranger = spawn('sleep', ['3600']);
    assert.equal(await Promise.all([server, stranger.pid as number].map(isServer)), [true, false]);
    stranger.kill();
    await once(stranger, 'exit');
    await database.stop();
    assert.is(await isServer(server), false);
  });

const ends: readonly ('stops' | 'is killed')[] = machineHas('flock') ? ['stops', 'is killed'] : ['stops'];
for (const end of ends) {
  x(`outlives the process that started it, until the last one ${end}`, async () => {
    const dataDir = await usedFolder();
    const ended = async ({ process }: { process: ChildProcess }, how: string) => {
      if (how === 'stops') process.stdin?.end();
      else process.kill('SIGKILL');
      await once(process, 'exit');
    };
    const a = await host(dataDir);
    const [b, c] = await Promise.all([host(dataDir), host(dataDir)]);
    const server = await postmaster(dataDir);
    // One connection throughout: users of the server must not notice that another process has gone.
    const client = new Client({ connectionString: a.url });
    client.on('error', () => {});
    await client.connect();
    await client.query('create temporary table kept as select 3 as n');
    for (const [gone, how] of [[a, end] as const, [b, end === 'stops' ? 'is killed' : 'stops'] as const]) {
      await ended(gone, how);
      // Longer than it takes the process that stops the server to reach it.
      await sleep(500);
      assert.equal((await client.query('select n from kept')).rows, [{ n: 3 }]);
      assert.is(await postmaster(dataDir), server);
    }
    await client.end();
    await ended(c, end);
    const refused = () =>
      ask(c.url, 'select 1').then(
        () => null,
        (error: Error) => REFUSED.exec(error.message),
      );
    await until('the server has ended', refused);
  });
}

x('explains why it cannot use a folder, and leaves nothing running', async () => {
  const dataDir = await newFolder();
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
  await rejects(startEmbeddedDatabase({ dataDir, ...quiet }), /created by PostgreSQL 15/);
});

x('explains in one line why it cannot use a file, with PostgreSQL’s own message', async () => {
  const dataDir = await usedFolder();
  const log = join(dataDir, 'postgres.log');
  await rename(log, `${log}.kept`);
  await mkdir(log);
  await rejects(
    startEmbeddedDatabase({ dataDir, ...quiet }),
    /^DATA_DIR cannot be used \(EISDIR: .*postgres\.log'\); .*$/,
  );
  await rm(log, { recursive: true });
  // What an earlier start logged says nothing about this one.
  await writeFile(log, '2026-01-01 00:00:00.000 UTC [1] FATAL:  of another time\n');
  const control = join(dataDir, 'postgres/global/pg_control');
  await rename(control, `${control}.kept`);
  await rejects(
    startEmbeddedDatabase({ dataDir, ...quiet }),
    /^PostgreSQL did not start in .*: postgres: could not find the database system .*pg_control.*; see .*postgres\.log for more\.$/,
  );
  await rename(`${control}.kept`, control);
  await rename(`${log}.kept`, log);
});

if (root) {
  x('runs as an ordinary user', async () => {
    const user = unprivilegedUser();
    const dataDir = await newFolder();
    await chown(dataDir, user?.uid ?? 0, user?.gid ?? 0);
    const started = await host(dataDir, user);
    assert.equal(await ask(started.url, 'select 1 as n'), [{ n: 1 }]);
    assert.is((await stat(join(dataDir, 'postgres'))).uid, user?.uid);
    started.process.stdin?.end();
    await once(started.process, 'exit');
  });

  x('copies programs that the account cannot reach, and repairs their library links', async () => {
    const closed = await newFolder();
    const open = await newFolder();
    await chmod(open, 0o755);
    const { native, version } = await locatePostgresPackage();
    const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    const omitted = new Set(links.map(({ target }) => join(native, '..', target)));
    await cp(native, join(closed, 'native'), { recursive: true, filter: (path) => !omitted.has(path) });
    const source = { native: join(closed, 'native'), version };
    const found = await findPostgresBinaries(source, join(open, 'programs'), unprivilegedUser());
    assert.is(found.bin, join(open, `programs-${version}`, 'bin'));
    const updated = await findPostgresBinaries(
      { ...source, version: `${version}1` },
      join(open, 'programs'),
      unprivilegedUser(),
    );
    assert.is(
      updated.bin,
      join(open, `programs-${version}1`, 'bin'),
      'the copy of one version is not used for another',
    );
    const mistaken = findPostgresBinaries({ ...source, version: '99.1.0' }, join(open, 'programs'), unprivilegedUser());
    await rejects(mistaken, /is PostgreSQL \d+\.\d+ instead of 99\.1\.0/);
    for (const place of ['/var/tmp', tmpdir(), '/dev/shm'])
      for (const name of await readdir(place))
        if (name.startsWith('quarterdeck-postgres-99.1.0-')) await rm(join(place, name), { recursive: true });
    const elsewhere = await findPostgresBinaries(source, join(closed, 'programs'), unprivilegedUser());
    assert.match(elsewhere.bin, /^\/(?:var\/)?tmp\/quarterdeck-postgres-/);
    assert.not.ok(await stat(join(closed, 'programs')).catch(() => undefined));
    await rm(dirname(elsewhere.bin), { recursive: true });
    const own = await findPostgresBinaries(source, join(open, 'unused'));
    assert.is(own.bin, join(closed, 'native', 'bin'));
  });
}

async function rejects(work: Promise<unknown>, words: RegExp): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: Error) => reason,
  );
  assert.match(String(error?.message), words);
}

x('derives its settings from the machine', async () => {
  const GIB = 2 ** 30;
  const small = machineSettings({ memoryBytes: GIB / 2, cores: 1 });
  assert.is(small.shared_buffers, '128MB');
  assert.is(small.max_parallel_workers_per_gather, '0');
  const large = machineSettings({ memoryBytes: 64 * GIB, cores: 16 });
  assert.is(large.shared_buffers, '2048MB');
  assert.is(large.effective_cache_size, '32768MB');
  assert.is(large.max_parallel_workers_per_gather, '4');
  const database = await startEmbeddedDatabase({ dataDir: await usedFolder(), ...quiet });
  const [row] = await ask<{ current: string }[]>(database.url, `select current_setting('max_wal_size') as current`);
  assert.is(row?.current, '2GB');
  await database.stop();
});

x.run();
