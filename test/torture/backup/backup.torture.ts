import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createEmptyDatabase, dropDatabase } from '../../harness/fresh-databases.js';
import { migrateDatabase } from '../../support/database.js';
import { type Ended, runInstallationCommand } from '../../support/installation-command.js';
import type { TortureContext, TortureRow } from '../torture.js';

export const name = 'backup';
export const usualCount = 20;

const ROWS = 500_000;
/** Enough for a copy that is still running when its connection is ended. */
const ROWS_IN_QUICK_FORM = 60_000;
const DISK_DELAYS_MS = [30, 1, 10, 60];

interface Place {
  databaseUrl: string;
  database: pg.Client;
  folder: string;
  count: number;
  rows: number;
}

/** Backs up a table of half a million rows to a slow disk, takes the database away halfway through, and restores it. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const databaseUrl = await torture.createDatabase();
  await migrateDatabase(databaseUrl);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const folder = await mkdtemp(join(tmpdir(), 'backup-torture-'));
  try {
    await mkdir(join(folder, 'data'));
    const rows = torture.judgesSpeed ? ROWS : ROWS_IN_QUICK_FORM;
    await fillEventLog(database, rows);
    const place: Place = { databaseUrl, database, folder, count: torture.count, rows };
    return [await slowDisk(place, torture.log), await lostConnection(place), await broughtBack(place)];
  } finally {
    await database.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillEventLog(database: pg.Client, rows: number): Promise<void> {
  await database.query(
    `insert into event_log (id, kind, organization_id, object_type, object_id, actor_id, actor_email, request_id, data,
                            created_at, dispatched_at)
     select 'evt_' || n, 'changelog.entry.created', '00000000-0000-0000-0000-000000000001', 'entry', 'entry ' || n, 'x', 'x',
            'x', json_build_object('entry_id', n, 'title', E'tab\\t\\\\ ' || md5(n::text)), now(), now()
       from generate_series(1, ${rows}) n`,
  );
}

function backUp({ databaseUrl, folder }: Place, to: string, diskDelayMs: number): Promise<Ended> {
  const dataDir = join(folder, 'data');
  return runInstallationCommand({ name: 'backup', words: [join(folder, to)], databaseUrl, dataDir, diskDelayMs });
}

async function slowDisk(place: Place, log: TortureContext['log']): Promise<TortureRow> {
  const wrong: string[] = [];
  const seconds: number[] = [];
  for (let round = 0; round < place.count; round++) {
    const begun = performance.now();
    const ended = await backUp(place, `slow ${round}`, DISK_DELAYS_MS[round % DISK_DELAYS_MS.length] as number);
    seconds.push((performance.now() - begun) / 1000);
    log(`round ${round + 1}: ${seconds.at(-1)?.toFixed(1)} s`);
    const complaints = ended.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('copying '));
    if (ended.code !== 0 || complaints.length > 0)
      wrong.push(`round ${round}: ended with ${ended.code}, ${complaints}`);
    if (round > 0) await rm(join(place.folder, `slow ${round}`), { recursive: true, force: true });
  }
  return {
    promise: `a backup of ${place.rows.toLocaleString('en')} rows to a slow disk ends, without warnings`,
    seen: `${place.count - wrong.length} of ${place.count}, the longest in ${Math.max(...seconds).toFixed(1)} s ${wrong.join('; ')}`,
    held: wrong.length === 0,
  };
}

/** Ends the backup's connection while it copies the large table. */
async function lostConnection(place: Place): Promise<TortureRow> {
  const wrong: string[] = [];
  const rounds = Math.ceil(place.count / 4);
  for (let round = 0; round < rounds; round++) {
    const backup = backUp(place, 'lost', 100);
    await untilTerminated(place.database);
    const { code, stderr } = await backup;
    const said = /^The backup failed while copying the table public\.event_log.*: .*Nothing of it was kept$/m.test(
      stderr,
    );
    const left = (await readdir(place.folder)).includes('lost');
    if (code !== 1 || !said || left) wrong.push(`ended with ${code}, left ${left}: ${stderr}`);
  }
  return {
    promise: 'a backup that loses its database says so and leaves nothing behind',
    seen: `${rounds - wrong.length} of ${rounds} ${wrong.join('; ')}`,
    held: wrong.length === 0,
  };
}

async function untilTerminated(database: pg.Client): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const { rowCount } = await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'quarterdeck backup' and query like 'copy %event_log%'`,
    );
    if (rowCount) return;
    await sleep(5);
  }
  throw new Error('no backup came to copy the large table');
}

async function broughtBack({ databaseUrl, database, folder }: Place): Promise<TortureRow> {
  const url = await createEmptyDatabase(databaseUrl);
  try {
    const words = [join(folder, 'slow 0')];
    const begun = performance.now();
    const ended = await runInstallationCommand({
      name: 'restore',
      words,
      databaseUrl: url,
      dataDir: join(folder, 'restored'),
    });
    const seconds = (performance.now() - begun) / 1000;
    const copy = new pg.Client({ connectionString: url });
    await copy.connect();
    const [before, after] = [await print(database), ended.code === 0 ? await print(copy) : ended.stderr];
    await copy.end();
    return {
      promise: 'what it wrote comes back, row for row',
      seen: `${before === after ? 'the same' : `${after} instead of ${before}`} after ${seconds.toFixed(1)} s`,
      held: before === after,
    };
  } finally {
    await dropDatabase(url);
  }
}

async function print(database: pg.Client): Promise<string> {
  const { rows } = await database.query(
    `select count(*) || ' rows, ' || md5(string_agg(md5(t::text), '' order by sequence)) as print from event_log t`,
  );
  return rows[0].print;
}
