import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEmptyDatabase, whileLocked } from '../support/database.js';
import { buildWorld } from '../support/factories/factories.js';
import { runInstallationCommand } from '../support/installation-command.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const x = suite<{ test: TestApp; folder: string }>('a backup of a database with tables of an operator');

x.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-archived-'));
  context.test = await openTestApp();
});
x.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/** Leaves a month as a statement does that waited too long. */
async function detachHalf(databaseUrl: string, name: string, comment: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`comment on table ${name} is '${comment}'`);
  await client.query(`set lock_timeout = '100ms'`);
  await whileLocked(databaseUrl, 'lock table event in access share mode', async () => {
    await client.query(`alter table event detach partition ${name} concurrently`).catch(() => undefined);
  });
  const pending = await client.query('select from pg_inherits where inhrelid = $1::regclass and inhdetachpending', [
    name,
  ]);
  assert.is(pending.rowCount, 1);
  await client.end();
}

x(
  'contains months of events that are fully or half detached, and leaves out tables that are not the product’s',
  async ({ test, folder }) => {
    const { databaseUrl, dataDir } = test;
    await buildWorld(test);
    await test.app.pool.query(`select ensure_event_partition('2026-02-01')`);
    await test.app.pool.query(
      `insert into event select event_id_floor('2026-02-03'), gen_random_uuid(), 'live', 'e', 'u', '2026-02-03', '{}'`,
    );
    await test.app.pool.query('alter table event detach partition event_2026_02');
    await test.app.pool.query(`select ensure_event_partition('2026-01-01')`);
    await test.app.pool.query(
      `insert into event select event_id_floor('2026-01-03'), gen_random_uuid(), 'live', 'e', 'u', '2026-01-03', '{}'`,
    );
    await detachHalf(databaseUrl, 'event_2026_01', 'that is why');
    await test.app.pool.query('create table notes_of_ours (id serial, text text) partition by range (id)');
    await test.app.pool.query('create table notes_of_old partition of notes_of_ours for values from (0) to (9)');
    const whole = join(folder, 'whole');
    const made = await runInstallationCommand({ name: 'backup', words: [whole], databaseUrl, dataDir });
    assert.is(made.code, 0, made.stderr);
    assert.match(
      made.stdout,
      /^The database also contains tables that do not belong to Quarterdeck\. A restore leaves them out; back them up separately: "?public"?\."?notes_of_ours"?$/m,
    );
    const empty = await createEmptyDatabase();
    const restored = await runInstallationCommand({
      name: 'restore',
      words: [whole],
      databaseUrl: empty.url,
      dataDir: join(folder, 'restored'),
    });
    assert.is(restored.code, 0, restored.stderr);
    assert.match(
      restored.stdout,
      /^Left out, since they do not belong to Quarterdeck: "?public"?\."?notes_of_ours"?$/m,
    );
    const client = new pg.Client({ connectionString: empty.url });
    await client.connect();
    const { rows } = await client.query(
      `select (select count(*)::int from event_2026_02) as archived, to_regclass('notes_of_ours') as notes,
              (select count(*)::int from event_2026_01) as half, obj_description('event_2026_01'::regclass, 'pg_class') as comment,
              (select relispartition from pg_class where oid = 'event_2026_01'::regclass) as attached`,
    );
    await client.end();
    await empty.drop();
    assert.equal(rows, [{ archived: 1, notes: null, half: 1, comment: 'that is why', attached: false }]);
  },
);

x.run();
