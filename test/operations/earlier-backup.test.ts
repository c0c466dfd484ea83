import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readManifest } from '../../src/storage/backup/backup-manifest.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { type Ended, runInstallationCommand } from '../support/installation-command.js';

/** Written by the release that compressed text with gzip, from a database with the tables of its time. */
const WRITTEN = 'test/fixtures/backups/format-1';

const x = suite<{ folder: string; database: TestDatabase }>('a backup of format 1');

x.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-earlier-'));
  context.database = await createEmptyDatabase();
});
x.after(async ({ folder, database }) => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function restore(words: string[], databaseUrl: string, folder: string): Promise<Ended> {
  return runInstallationCommand({ name: 'restore', words, databaseUrl, dataDir: join(folder, 'data') });
}

x('is rejected, creating no table, if its rows are not the recorded ones', async ({ folder, database }) => {
  const damaged = join(folder, 'damaged');
  await cp(WRITTEN, damaged, { recursive: true });
  await writeFile(join(damaged, 'tables/public.event.copy.gz'), gzipSync('other rows'));
  for (const words of [['--check', damaged], [damaged]]) {
    const { code, stderr } = await restore(words, database.url, folder);
    assert.is(code, 1);
    assert.match(stderr, /event\.copy\.gz is damaged: its SHA-256 differs from the recorded one\n$/);
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  assert.is((await client.query(`select from pg_class where relname = 'organization'`)).rowCount, 0);
  await client.end();
});

x('is checked and restored, row for row', async ({ folder, database }) => {
  assert.is((await readManifest(WRITTEN)).format, 1);
  assert.is((await restore(['--check', WRITTEN], database.url, folder)).stderr, '');
  const { code, stderr } = await restore([WRITTEN], database.url, folder);
  assert.is(code, 0, stderr);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `select (select name from organization) as organization, (select authorized_origins from project) as origins,
            count(*)::int as events, max(distinct_id) filter (where properties ->> 'n' = '20') as person,
            min(properties ->> 'text') as text, extract(microseconds from min(occurred_at))::int as microseconds,
            count(distinct tableoid)::int as partitions
       from event`,
  );
  await client.end();
  assert.equal(rows, [
    {
      organization: 'Tab \t and ☃',
      origins: ['https://a.example', '"quoted",{}'],
      events: 20,
      person: 'person 20',
      text: '\\N\t☃',
      microseconds: 123_456,
      partitions: 1,
    },
  ]);
  assert.match(await readFile(join(folder, 'data/jwt-secret'), 'utf8'), /^the secret of an old installation/);
  assert.is(await readFile(join(folder, 'data/objects/symbols/a/1'), 'utf8'), 'an old object');
});

x.run();
