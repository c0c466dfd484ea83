import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSchema } from '../../src/installation/restored-schema.js';
import { checkBackup, writeBackup } from '../../src/storage/backup/backup.js';
import { type BackupManifest, readManifest } from '../../src/storage/backup/backup-manifest.js';
import { Progress } from '../../src/storage/backup/progress.js';
import { DiskObjects } from '../../src/storage/objects/disk-objects.js';
import { createEmptyDatabase } from '../support/database.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { runInstallationCommand } from '../support/installation-command.js';
import { stallingDatabase } from '../support/stalling-database.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const x = suite('backup and restore');
let test: TestApp;
let folder: string;
const databases: { drop(): Promise<void> }[] = [];

x.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  test = await openTestApp();
});
x.after(async () => {
  await test.close();
  for (const database of databases) await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function command(name: 'backup' | 'restore', words: string[], databaseUrl: string, dataDir: string) {
  const { code, stdout, stderr } = await runInstallationCommand({ name, words, databaseUrl, dataDir });
  return { code, words: code === 0 ? stdout : stderr };
}

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database.url;
}

/** A hash of every table's rows, independent of their order. */
async function fingerprint(url: string, { database }: BackupManifest): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const prints: Record<string, string> = {};
  for (const { schema, name } of database.tables) {
    const { rows } = await client.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '\n' order by t::text)), '') as print from "${schema}"."${name}" t`,
    );
    prints[`${schema}.${name}`] = rows[0].print;
  }
  await client.end();
  return prints;
}

x('restores every row, object and secret, and the rules of the database', async () => {
  const world = await buildWorld(test);
  for (let n = 0; n < 5; n += 1)
    await buildConfigItem(world, { value: String(n), rule: { cohort: 'beta', value: '7' } });
  await buildConfigItem(world, { type: 'string', value: 'tab\tback\\slash\nnewline \\N ☃ "quoted"' });
  const operations = Array.from({ length: 50 }, (_, n) => ({
    type: 'track',
    payload: { event_name: 'kept', distinct_id: `person ${n}`, properties: { n, text: '\\N\t☃' } },
  }));
  assert.is((await world.live.post('/api/v1/batch', { operations })).status, 200);
  const objects = new DiskObjects({ folder: join(test.dataDir, 'objects'), linkBase: '', linkSecret: '' });
  const content = randomBytes(9 * 1024 * 1024);
  await objects.put('symbols/a/1', Readable.from([content]));
  await objects.put('../odd key', Readable.from([Buffer.from('odd')]));
  await writeFile(join(test.dataDir, 'jwt-secret'), 'the secret', { mode: 0o600 });

  const backup = join(folder, 'whole');
  const taken = await command('backup', [backup], test.databaseUrl, test.dataDir);
  assert.is(taken.code, 0, taken.words);
  const manifest = await readManifest(backup);
  assert.is((await stat(join(backup, 'manifest.json'))).mode & 0o077, 0);
  const checked = await command('restore', ['--check', backup], test.databaseUrl, test.dataDir);
  assert.equal(checked, { code: 0, words: `The backup in ${backup} is complete\n` });
  assert.equal(await command('restore', [backup, '--check'], test.databaseUrl, test.dataDir), checked);
  for (const [name, words, says] of [
    ['restore', [backup, 'more'], /^This command takes one folder, not more\./],
    ['restore', ['--chekc', backup], /^Unknown option '--chekc'/],
    ['backup', [join(folder, 'other'), 'more'], /^This command takes one folder, not more\./],
    ['backup', [join(folder, 'other'), '--check'], /^Unknown option '--check'/],
    ['backup', [], /^Missing argument: the folder of the backup\.\n\nnpm run backup -- FOLDER/],
  ] as const) {
    const refused = await command(name, [...words], test.databaseUrl, test.dataDir);
    assert.is(refused.code, 2, words.join(' '));
    assert.match(refused.words, says);
  }
  assert.match(
    (await command('restore', ['--help'], 'postgres://127.0.0.1:1/none', folder)).words,
    /^npm run restore --/,
  );

  const [url, dataDir] = [await emptyDatabase(), join(folder, 'data')];
  const restored = await command('restore', [backup], url, dataDir);
  assert.is(restored.code, 0, restored.words);
  const before = await fingerprint(test.databaseUrl, manifest);
  assert.equal(await fingerprint(url, manifest), before);
  assert.ok(manifest.database.tables.some(({ name, rows }) => name === 'config_version' && rows === 6));
  assert.ok(manifest.database.tables.some(({ name, rows }) => name === 'event' && rows === 50));
  const copy = new DiskObjects({ folder: join(dataDir, 'objects'), linkBase: '', linkSecret: '' });
  const hash = createHash('sha256');
  for await (const chunk of await copy.get('symbols/a/1')) hash.update(chunk as Buffer);
  assert.is(hash.digest('hex'), createHash('sha256').update(content).digest('hex'));
  assert.is((await copy.stat('../odd key'))?.bytes, 3);
  assert.is(await readFile(join(dataDir, 'jwt-secret'), 'utf8'), 'the secret');

  // The job queue creates a partition for each day, and there is a new one after midnight.
  const rules = async (at: string) => {
    const client = new Client({ connectionString: at });
    await client.connect();
    const { rows } = await client.query(
      `select conname, pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'f' and conparentid = 0
        union all select tgname, tgenabled::text from pg_trigger where not tgisinternal
        union all select c.relname, case when h.inhrelid is null then d.definition
                                         else regexp_replace(d.definition, ' INDEX \\S+ ', ' INDEX of a partition ') end
                    from pg_index i join pg_class c on c.oid = i.indrelid
                    cross join lateral (select pg_get_indexdef(i.indexrelid) as definition) d
                    left join pg_inherits h on h.inhrelid = i.indexrelid
                   where i.indisvalid and c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
                     and c.relname !~ '^queue_stats_[0-9]+$'
        order by 1, 2`,
    );
    await client.end();
    return rows;
  };
  assert.ok((await rules(url)).length > 100);
  assert.equal(await rules(url), await rules(test.databaseUrl));
});

x('rejects a damaged backup and leaves nothing behind', async () => {
  const backup = join(folder, 'damaged');
  await cp(join(folder, 'whole'), backup, { recursive: true });
  const [victim = ''] = (await readdir(join(backup, 'objects', 'symbols', 'a'))).sort();
  const path = join(backup, 'objects', 'symbols', 'a', victim);
  const bytes = await readFile(path);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  await writeFile(path, bytes);
  const url = await emptyDatabase();
  const refused = await command('restore', [backup], url, join(folder, 'never'));
  assert.is(refused.code, 1);
  assert.match(refused.words, /damaged/);
  const client = new Client({ connectionString: url });
  await client.connect();
  assert.is((await client.query(`select 1 from pg_class where relname = 'organization'`)).rowCount, 0);
  await client.end();
  assert.match((await command('backup', [backup], test.databaseUrl, test.dataDir)).words, /not empty/);
});

x('can restore again after objects could not be restored, but not once the rows are there', async () => {
  const backup = join(folder, 'whole');
  const [url, dataDir] = [await emptyDatabase(), join(folder, 'again')];
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'jwt-secret'), 'another secret');
  await writeFile(join(dataDir, 'objects'), 'in the way');
  const failed = await command('restore', [backup], url, dataDir);
  assert.is(failed.code, 1);
  assert.match(failed.words, /(?:^|\n)[^\n]*object store[^\n]*\n$/i);
  await rm(join(dataDir, 'objects'));
  const restored = await command('restore', [backup], url, dataDir);
  assert.is(restored.code, 0, restored.words);
  const manifest = await readManifest(backup);
  assert.equal(await fingerprint(url, manifest), await fingerprint(test.databaseUrl, manifest));
  assert.is(await readFile(join(dataDir, 'jwt-secret'), 'utf8'), 'the secret');
  assert.is(await readFile(join(dataDir, 'jwt-secret.before-restore'), 'utf8'), 'another secret');
  assert.match((await command('restore', [backup], url, dataDir)).words, /not empty/);

  const newer = await emptyDatabase();
  await createSchema(newer, manifest.database);
  const older = join(folder, 'older');
  await cp(backup, older, { recursive: true });
  const migrations = manifest.database.migrations.slice(0, -1);
  await writeFile(
    join(older, 'manifest.json'),
    JSON.stringify({ ...manifest, database: { ...manifest.database, migrations } }),
  );
  await rm(join(older, 'manifest.sha256'));
  assert.match((await command('restore', [older], newer, join(folder, 'never'))).words, /not empty/);
  assert.not.ok((await readdir(folder)).includes('never'));
});

x('refuses to restore into a database that a server uses', async () => {
  const refused = await command('restore', [join(folder, 'whole')], test.databaseUrl, join(folder, 'never'));
  assert.is(refused.code, 1);
  assert.match(refused.words, /in use/);
});

x('says what a stalled backup was waiting for and leaves nothing behind', async () => {
  const stalling = await stallingDatabase(test.databaseUrl, 'copy (select');
  const target = join(folder, 'new', 'stalled');
  const shown: string[] = [];
  // Time passes only once the database has gone silent.
  const now = () => (stalling.hasStalled ? performance.now() : 0);
  const progress = new Progress({ stallMs: 400, show: (line) => shown.push(line), now });
  const objects = new DiskObjects({ folder: join(folder, 'no objects'), linkBase: '', linkSecret: '' });
  const installation = { databaseUrl: stalling.url, objects, dataDir: test.dataDir };
  const failure = await writeBackup(installation, target, new Date(), progress).then(
    () => 'it ended',
    (error: Error) => error.message,
  );
  await stalling.close();
  assert.match(
    failure,
    /^The backup failed while copying the table .*: no progress for 0 s; check that the database.*Nothing of it was kept$/,
  );
  assert.ok(shown.some((line) => line.startsWith('copying the table ')));
  assert.not.ok((await readdir(folder)).includes('new'));
});

x('says that its folder cannot be created', async () => {
  if (process.platform !== 'linux') return;
  const below = '/proc/none/backup';
  const refused = await command('backup', [below], test.databaseUrl, test.dataDir);
  assert.is(refused.code, 1);
  assert.match(
    refused.words,
    /^\/proc\/none\/backup cannot be written to \(ENOENT[^\n]+\); choose another folder for the backup\n$/,
  );
});

x('says that the database cannot be reached, as does a restore', async () => {
  for (const [name, at] of [
    ['backup', join(folder, 'unreached')],
    ['restore', join(folder, 'whole')],
  ] as const) {
    const refused = await command(name, [at], 'postgres://localhost:1/x', test.dataDir);
    assert.is(refused.code, 1);
    assert.match(refused.words, /^DATABASE_URL: no PostgreSQL answers at localhost:1 .*ECONNREFUSED.*\n$/);
  }
});

x('fails when there is nothing to back up, and creates nothing', async () => {
  const [target, elsewhere] = [join(folder, 'of nothing'), join(folder, 'elsewhere')];
  const empty = await command('backup', [target], await emptyDatabase(), test.dataDir);
  assert.is(empty.code, 1);
  assert.match(empty.words, /it contains no installation; set DATABASE_URL to that of the server/);
  const nowhere = await command('backup', [target], '', elsewhere);
  assert.equal(nowhere, {
    code: 1,
    words: `DATA_DIR is ${elsewhere}, which does not contain an installation. Set it to the server's folder, or set DATABASE_URL.\n`,
  });
  const left = await readdir(folder);
  assert.not.ok(left.includes('of nothing') || left.includes('elsewhere'));
});

x('fails without DATA_DIR if objects or secrets belong there, even if DATABASE_URL is right', async () => {
  const elsewhere = join(folder, 'elsewhere');
  const run = (at: string, settings: Record<string, string>) =>
    runInstallationCommand({
      name: 'backup',
      words: [join(folder, at)],
      databaseUrl: test.databaseUrl,
      dataDir: elsewhere,
      settings,
    });
  const bucket = {
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  for (const [settings, lies] of [
    [{}, 'its objects and secrets'],
    [bucket, 'its secrets'],
  ] as const)
    assert.equal(await run('without', settings), {
      code: 1,
      stdout: '',
      stderr: `DATA_DIR is ${elsewhere}, which is not a folder this user can read. Set it to the server's folder, which holds ${lies}.\n`,
    });
  const left = await readdir(folder);
  assert.not.ok(left.includes('without') || left.includes('elsewhere'));
  const { stderr } = await run('without', { ...bucket, JWT_SECRET: 'a secret of more than enough characters' });
  assert.match(stderr, /while copying the objects: /);
});

x(
  'succeeds without lost objects, says so, and restores the rest; objects deleted meanwhile do not count as lost',
  async () => {
    const world = await buildWorld(test);
    const answers = [
      await world.live.post('/api/catch/profiles', {}),
      await world.live.post('/api/catch/profiles', {}),
    ];
    assert.equal(
      answers.map(({ status }) => status),
      [202, 202],
    );
    const paths = async () =>
      (await test.app.pool.query<{ path: string }>('select storage_path as path from crash_profile order by 1')).rows;
    const [first, other] = await paths();
    assert.ok(first && other);
    const objects = new DiskObjects({ folder: join(test.dataDir, 'objects'), linkBase: '', linkSecret: '' });
    await objects.delete(first.path);
    const [lacking, url] = [join(folder, 'lacking'), await emptyDatabase()];
    const says =
      'The backup is incomplete: 1 of the objects that rows refer to were missing from the object store. If DATA_DIR, or S3_ENDPOINT and S3_BUCKET, ' +
      `were the server's, they are lost; otherwise back up again with the server's settings.\ncrash_profile ${first.path}\n`;
    for (const [name, words, at, dataDir, stdout] of [
      ['backup', [lacking], test.databaseUrl, test.dataDir, /^Backed up /],
      ['restore', ['--check', lacking], test.databaseUrl, test.dataDir, /^The backup in \S+ is as it was made\n$/],
      ['restore', [lacking], url, join(folder, 'without one'), /^Restored .*all as recorded\n$/],
      ['backup', [join(folder, 'lacking again')], url, join(folder, 'without one'), /^Backed up /],
    ] as const) {
      const done = await runInstallationCommand({ name, words: [...words], databaseUrl: at, dataDir });
      assert.is(done.code, 3);
      // On a busy machine, lines of progress precede it.
      assert.ok(done.stderr.endsWith(says), done.stderr);
      assert.match(done.stdout, stdout);
    }
    const made = await readManifest(lacking);
    assert.equal(made.lost, [{ key: first.path, table: 'crash_profile' }]);
    assert.ok(made.objects.some(({ key }) => key === other.path));
    assert.equal(await fingerprint(url, made), await fingerprint(test.databaseUrl, made));

    class Emptied extends DiskObjects {
      private lists = 0;

      /** The first call is before the rows are copied, the second after. */
      override async *list(prefix: string) {
        this.lists += 1;
        if (this.lists === 2) await test.app.pool.query('delete from crash_profile');
        yield* super.list(prefix);
      }
    }
    const emptied = new Emptied({ folder: join(folder, 'no objects'), linkBase: '', linkSecret: '' });
    const installation = { databaseUrl: test.databaseUrl, objects: emptied, dataDir: test.dataDir };
    const { database, lost } = await writeBackup(installation, join(folder, 'meanwhile'), new Date(), new Progress());
    assert.is(database.tables.find(({ name }) => name === 'crash_profile')?.rows, 2);
    assert.equal(lost, []);
    assert.equal(await paths(), []);
  },
);

x('fails on an object that exists but cannot be read, and names it', async () => {
  class Unreadable extends DiskObjects {
    override async get(key: string) {
      const stream = await super.get(key);
      if (key === 'bad/sector') stream.destroy(new Error('EIO: i/o error, read'));
      return stream;
    }
  }
  const objects = new Unreadable({ folder: join(folder, 'bad objects'), linkBase: '', linkSecret: '' });
  await objects.put('bad/sector', Readable.from([Buffer.from('gone')]));
  const installation = { databaseUrl: test.databaseUrl, objects, dataDir: test.dataDir };
  const failure = await writeBackup(installation, join(folder, 'unread'), new Date(), new Progress()).then(
    () => 'it ended',
    (error: Error) => error.message,
  );
  assert.is(
    failure,
    'The backup failed while copying the objects: the object bad/sector: EIO: i/o error, read. Nothing of it was kept',
  );
});

x('succeeds once when two start at the same time in one folder', async () => {
  const target = join(folder, 'at once');
  await mkdir(target);
  const objects = new DiskObjects({ folder: join(folder, 'no objects'), linkBase: '', linkSecret: '' });
  const installation = { databaseUrl: test.databaseUrl, objects, dataDir: test.dataDir };
  const begin = () => writeBackup(installation, target, new Date(), new Progress());
  const ended = await Promise.allSettled([begin(), begin()]);
  assert.equal(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await checkBackup(await readManifest(target), target, new Progress(), true);
});

x('marks a backup whose process was killed', async () => {
  const backup = join(folder, 'killed');
  const killing = new AbortController();
  const killed = runInstallationCommand({
    name: 'backup',
    words: [backup],
    databaseUrl: test.databaseUrl,
    dataDir: test.dataDir,
    diskDelayMs: 600_000,
    signal: killing.signal,
  });
  await until('the backup has begun', async () => (await readdir(backup).catch(() => [])).length > 0);
  killing.abort();
  assert.is((await killed).code, null);
  assert.match(
    (await command('backup', [backup], test.databaseUrl, test.dataDir)).words,
    /contains an unfinished backup; delete it/,
  );
  assert.match((await command('restore', [backup], test.databaseUrl, test.dataDir)).words, /no complete backup/);
});

x.run();
