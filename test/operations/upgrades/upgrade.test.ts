import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type ServerProcess,
  serverFile,
  startServerProcess,
  unbundledServerFile,
} from '../../harness/server-process.js';
import { createTestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';
import { serverErrors, Writers } from '../../torture/acknowledged-writes.js';
import { writeTarget } from '../../torture/torture-project.js';

const upgrade = suite('an upgrade while the former version serves');

/**
 * Pause between the writes of each kind: enough writes meet the migration, and the processes can still start meanwhile.
 */
const PAUSE_MS = 100;

/**
 * A transaction such as a report or a backup. It blocks migrations from the config item table until someone has written
 * there while a migration was waiting.
 */
async function longTransaction(databaseUrl: string, writers: Writers): Promise<void> {
  const clients = [new pg.Client({ connectionString: databaseUrl }), new pg.Client({ connectionString: databaseUrl })];
  const [reader, watcher] = clients as [pg.Client, pg.Client];
  for (const client of clients) await client.connect();
  await reader.query('begin');
  await reader.query('select count(*) from config_item');
  const waiting = `select from pg_stat_activity where query like 'alter table config_item%' and wait_event_type = 'Lock'`;
  await until('the migration waits for its lock', async () => (await watcher.query(waiting)).rowCount);
  // The first write may have been stored earlier.
  for (let round = 0; round < 2; round += 1) await writers.nextOfEachKind();
  await reader.query('commit');
  for (const client of clients) await client.end();
}

upgrade(
  'migrates under load: no 5xx, nothing lost, nobody queues behind a waiting migration; both versions keep serving',
  async () => {
    const made = await createTestDatabase();
    const env = { DATABASE_URL: made.url, JWT_SECRET: 'one secret for both versions of the test', LOG_LEVEL: 'warn' };
    const database = new pg.Client({ connectionString: made.url });
    await database.connect();
    const servers: ServerProcess[] = [];
    let writers: Writers | undefined;
    const start = async (more: Record<string, string>, file = serverFile): Promise<ServerProcess> => {
      const server = await startServerProcess({ env: { ...env, FIRST_RUN: 'off', ...more }, entryFile: file });
      servers.push(server);
      return server;
    };
    try {
      const former = await start({ FIRST_RUN: 'on', ROLE: 'api' });
      writers = await Writers.start(await writeTarget(former), { pauseMs: PAUSE_MS });
      await writers.nextOfEachKind();
      const blocked = longTransaction(made.url, writers);
      const newerVersion = `--import=${new URL('./newer-version.js', import.meta.url).href}`;
      const newer = await start({ NODE_OPTIONS: newerVersion }, unbundledServerFile);
      await blocked;
      await writers.nextOfEachKind();

      assert.match(newer.output(), 'a migration is waiting for a transaction that holds its tables');
      const { rows } = await database.query(
        `select to_regclass('upgrade_note') is not null as "table",
         (select count(*)::int from information_schema.columns where column_name = 'upgrade_note' and table_name in ('event', 'config_item')) as columns,
         (select indisvalid from pg_index where indexrelid = 'upgrade_note_index'::regclass) as index`,
      );
      assert.equal(rows, [{ table: true, columns: 2, index: true }]);

      const older = await start({ ROLE: 'api' });
      assert.match(older.output(), 'a newer version has migrated this database; this older one continues to serve');
      for (const server of servers) assert.is((await fetch(`${server.url}/readyz`)).status, 200);
      await writers.stop();
      const findings = await writers.findings(database);
      assert.equal(findings.lost, []);
      assert.is(serverErrors(findings) + writers.answers(0), 0, JSON.stringify([...findings.statuses]));
    } finally {
      await writers?.stop();
      await Promise.all(servers.map((server) => server.stop()));
      await database.end();
      await made.drop();
    }
  },
);

upgrade.run();
