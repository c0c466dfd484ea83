import { hash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync } from 'node:zlib';
import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSchema } from '../../src/installation/restored-schema.js';
import { checkBackup } from '../../src/storage/backup/backup.js';
import {
  type BackedUpPartition,
  type BackedUpSequence,
  type BackedUpTable,
  type BackupManifest,
  type DatabaseSnapshot,
  readManifest,
  writeManifest,
} from '../../src/storage/backup/backup-manifest.js';
import { restoreDatabase } from '../../src/storage/backup/database-restore.js';
import { Progress } from '../../src/storage/backup/progress.js';
import { qualified } from '../../src/storage/databases.js';
import { createEmptyDatabase } from '../support/database.js';
import { buildWorld } from '../support/factories/factories.js';
import { runInstallationCommand } from '../support/installation-command.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const x = suite<{ test: TestApp; folder: string; whole: string; manifest: BackupManifest }>('a damaged backup');

x.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-damaged-'));
  context.whole = join(context.folder, 'whole');
  context.test = await openTestApp();
  const { test, whole } = context;
  await buildWorld(test);
  await test.app.parts.objects.put('symbols/a/1', Readable.from([Buffer.alloc(5_000, 'symbols')]));
  await writeFile(join(test.dataDir, 'jwt-secret'), test.jwtSecret);
  const place = { databaseUrl: test.databaseUrl, dataDir: test.dataDir };
  const taken = await runInstallationCommand({ name: 'backup', words: [whole], ...place });
  assert.is(taken.code, 0, taken.stderr);
  context.manifest = await withFewTables(whole);
});
x.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/** Keeps only the first and the largest of a backup's tables, so that a copy is small. Returns its manifest. */
async function withFewTables(folder: string): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  const { tables } = manifest.database;
  const largest = tables.toSorted((a, b) => b.rows - a.rows)[0];
  const kept = tables.filter((table, at) => at === 0 || table === largest);
  for (const { file } of tables.filter((table) => !kept.includes(table))) await rm(join(folder, file));
  const small = { ...manifest, database: { ...manifest.database, tables: kept } };
  await writeManifest(folder, small);
  return small;
}

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const half = async (path: string): Promise<void> => truncate(path, Math.floor((await readFile(path)).length / 2));

/** Ways to damage a complete backup, and how the message about each ends. */
function damages(manifest: BackupManifest): [what: string, damage: (folder: string) => Promise<void>, RegExp][] {
  const largest = [...manifest.database.tables].sort((a, b) => b.rows - a.rows)[0]?.file ?? '';
  const object = manifest.objects[0]?.file ?? '';
  const setting = manifest.settings.find(({ file }) => file.endsWith('jwt-secret'))?.file ?? '';
  const written = (content: unknown) => async (folder: string) =>
    writeFile(join(folder, 'manifest.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const [first, ...others] = manifest.database.tables;
  const withTable = (change: object) =>
    written({ ...manifest, database: { ...manifest.database, tables: [{ ...first, ...change }, ...others] } });
  const other = 'a'.repeat(64);
  return [
    ['a table cut off', (folder) => half(join(folder, largest)), /\.zst is damaged: /],
    ['an empty table', (folder) => truncate(join(folder, largest)), / is damaged: /],
    ['a table with another byte', (folder) => flipByte(join(folder, largest)), / is damaged: /],
    ['a table with more behind it', (folder) => appendFile(join(folder, largest), 'more'), / is damaged: /],
    [
      'a table with its rows behind it again',
      async (folder) => appendFile(join(folder, largest), await readFile(join(folder, largest))),
      / is damaged: /,
    ],
    [
      "another table's rows",
      (folder) => cp(join(folder, first?.file ?? ''), join(folder, largest)),
      / is damaged: its SHA-256 differs from the recorded one$/,
    ],
    ['no table', (folder) => rm(join(folder, largest)), / is missing$/],
    [
      'an object cut off',
      (folder) => half(join(folder, object)),
      /is damaged: its SHA-256 differs from the recorded one$/,
    ],
    ['an object with another byte', (folder) => flipByte(join(folder, object)), /is damaged: its SHA-256/],
    ['no object', (folder) => rm(join(folder, object)), / is missing$/],
    ['a secret with another byte', (folder) => flipByte(join(folder, setting)), /is damaged: its SHA-256/],
    [
      'a manifest with another number of rows',
      withTable({ rows: 7_000_000 }),
      /manifest\.json is damaged: its SHA-256 differs from the one in manifest\.sha256$/,
    ],
    [
      'a manifest that lacks a table',
      written({ ...manifest, database: { ...manifest.database, tables: others } }),
      /SHA-256/,
    ],
    ['a manifest cut off', (folder) => half(join(folder, 'manifest.json')), /is damaged: it is not valid JSON/],
    ['an empty manifest', written(''), /is damaged: it is not valid JSON/],
    ['a manifest that is null', written('null'), /manifest\.json is damaged: /],
    ['a manifest of nothing', written({ format: 2 }), /manifest\.json is damaged: /],
    [
      'a manifest of another format',
      written({ ...manifest, format: 3 }),
      /has format 3; this version supports 1 and 2$/,
    ],
    [
      'a manifest of an earlier format',
      (folder) => writeManifest(folder, { ...manifest, format: 1 }),
      /\.zst is damaged: incorrect header check$/,
    ],
    ['a table without its rows', withTable({ rows: undefined }), /damaged: \/database\/tables\/0/],
    ['a file outside the backup', withTable({ file: 'database/../../x' }), /damaged: \/database\/tables\/0\/file/],
    [
      'another recorded hash',
      async (folder) => {
        await withTable({ sha256: other })(folder);
        await rm(join(folder, 'manifest.sha256'));
      },
      /\.zst is damaged: its SHA-256/,
    ],
    ['no manifest', (folder) => rm(join(folder, 'manifest.json')), /no complete backup: manifest\.json is missing$/],
    ['no folder at all', (folder) => rm(folder, { recursive: true }), /no complete backup/],
    [
      'a file for a folder',
      async (folder) => {
        await rm(folder, { recursive: true });
        await writeFile(folder, '');
      },
      /no complete backup/,
    ],
  ];
}

x('is reported in one sentence, whatever is damaged', async ({ folder, whole, manifest }) => {
  for (const [what, damage, sentence] of damages(manifest)) {
    const copy = join(folder, what.replaceAll(' ', '-'));
    await cp(whole, copy, { recursive: true });
    await damage(copy);
    for (const unpacks of [true, false]) {
      const told = await readManifest(copy)
        .then((read) => checkBackup(read, copy, new Progress(), unpacks))
        .then(
          () => 'nothing',
          (error: Error) => error.message,
        );
      assert.match(told, /^[^\n]+$/, `${what} is reported in one line: ${told}`);
      assert.match(told, sentence, what);
    }
  }
});

x(
  'is not reported for an empty frame after the rows, such as a compressor leaves when asked to finish early',
  async (context) => {
    const { folder, whole, manifest } = context;
    const copy = join(folder, 'an-empty-frame');
    await cp(whole, copy, { recursive: true });
    const tables = [];
    for (const table of manifest.database.tables) {
      const bytes = Buffer.concat([await readFile(join(copy, table.file)), zstdCompressSync('')]);
      await writeFile(join(copy, table.file), bytes);
      tables.push({ ...table, sha256: hash('sha256', bytes) });
    }
    await checkBackup({ ...manifest, database: { ...manifest.database, tables } }, copy, new Progress(), true);
  },
);

x('fills no table if a file changed after it was checked', async ({ folder, manifest }) => {
  const database = await createEmptyDatabase();
  const [largest] = manifest.database.tables.toSorted((a, b) => b.rows - a.rows);
  const client = new Client({ connectionString: database.url });
  const rows = async () =>
    (await client.query(`select t::text from ${qualified(largest?.schema ?? '', largest?.name ?? '')} t order by 1`))
      .rows;
  const restored = (from: string) =>
    restoreDatabase(database.url, manifest, join(folder, from), new Progress()).catch((error: Error) => error.message);
  try {
    await createSchema(database.url, manifest.database);
    await client.connect();
    const before = await rows();
    for (const what of ['a-table-cut-off', 'a-table-with-another-byte', 'a-table-with-more-behind-it']) {
      assert.match(String(await restored(what)), /\.zst is damaged: /, what);
      assert.equal(await rows(), before, what);
    }
    assert.type(await restored('whole'), 'object');
    assert.is((await rows()).length, largest?.rows);
    assert.not.equal(await rows(), before);
  } finally {
    await client.end();
    await database.drop();
  }
});

x('fills no table if its manifest was changed, and says where that shows', async ({ folder, manifest }) => {
  const database = await createEmptyDatabase();
  const { tables, partitions, sequences } = manifest.database;
  const [table, ...others] = tables as [BackedUpTable, ...BackedUpTable[]];
  const partition = partitions.find(({ parent }) => parent === 'event') as BackedUpPartition;
  const sequence = sequences[0] as BackedUpSequence;
  const columns = table.columns.with(0, 'not_here');
  try {
    await createSchema(database.url, manifest.database);
    const changes: [Partial<DatabaseSnapshot>, RegExp][] = [
      [
        { tables: [{ ...table, columns }, ...others] },
        /^The restore failed while filling the table .*: column "not_here" .*\. No row was kept$/,
      ],
      [
        { sequences: [{ ...sequence, value: '9'.repeat(30) }] },
        /^The restore failed while setting the sequences: .*\. No row was kept$/,
      ],
      [
        { partitions: [{ ...partition, bound: 'for values from (1) to (2); select 1' }] },
        /^manifest\.json is damaged: the bounds of .*$/,
      ],
      [
        { partitions: [{ ...partition, bound: "for values from (pg_read_file('/etc/hostname')) to (2)" }] },
        /the bounds of/,
      ],
    ];
    for (const [changed, sentence] of changes) {
      const given = { ...manifest, database: { ...manifest.database, ...changed } };
      const told = await restoreDatabase(database.url, given, join(folder, 'whole'), new Progress()).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
      assert.match(told, sentence);
    }
  } finally {
    await database.drop();
  }
});

x('is reported by restore --check without a stack trace and with exit code 1', async ({ test, folder }) => {
  const check = (...words: string[]) =>
    runInstallationCommand({ name: 'restore', words: ['--check', ...words], databaseUrl: '', dataDir: test.dataDir });
  for (const [words, sentence] of [
    [[join(folder, 'a-table-cut-off')], /^\/.*\.zst is damaged: [^\n]+\n$/],
    [[join(folder, 'a-manifest-of-nothing')], /^\/.*manifest\.json is damaged: [^\n]+\n$/],
    [[join(folder, 'not-here')], /^\/.* contains no complete backup: [^\n]+\n$/],
  ] as const) {
    const { code, stdout, stderr } = await check(...words);
    assert.equal([code, stdout], [1, ''], stderr);
    assert.match(stderr, sentence);
  }
});

x.run();
