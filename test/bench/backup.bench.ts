import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { EVENT_COLUMNS } from '../../src/modules/ingest/copy/copy-binary.js';
import { alternate } from '../harness/rounds.js';
import { type Ended, runInstallationCommand } from '../support/installation-command.js';
import { type BenchContext, type BenchRow, row } from './bench.js';
import { sampleBody } from './ingest/ingest-project.js';
import { copyOnce, encodedRows } from './ingest/raw-copy.js';

export const name = 'backup';

const ROWS = 1_000_000;
const ROWS_A_COPY = 10_000;
const PROJECT = '0b8d1f0e-5d1c-4c1a-9d0a-7f6f6c1f2a11';

/**
 * Backup and restore of a million events, including command startup, hashes, the manifest and, for the restore, a first
 * read of all files, the schema and the check of its rows. Compared with copying the same rows through `psql` and
 * `gzip` at its fastest setting. These stand in for `pg_dump -Fc`, which rejects a server newer than itself and also
 * copies text compressed with zlib. The product copies the binary format and compresses it with zstd on threads of its
 * own.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { DATABASE_URL: databaseUrl } });
  await server.stop();
  bench.log(`storing ${ROWS.toLocaleString('en')} events`);
  // No row occurs twice, because a compressor would find the repetition.
  for (let stored = 0; stored < ROWS; stored += ROWS_A_COPY)
    await copyOnce(databaseUrl, encodedRows(PROJECT, sampleBody(ROWS_A_COPY)), 1);
  const folder = await mkdtemp(join(tmpdir(), 'backup-bench-'));
  const command = (commandName: 'backup' | 'restore', url: string, to: string) =>
    runInstallationCommand({
      name: commandName,
      words: [join(folder, to)],
      databaseUrl: url,
      dataDir: join(folder, 'data'),
    });
  const script = (line: string, url: string) =>
    promisify(execFile)('bash', ['-o', 'pipefail', '-c', line, 'bash', url]);
  const copied = join(folder, 'event.copy.gz');
  try {
    await mkdir(join(folder, 'data'));
    requireSuccess(await command('backup', databaseUrl, 'kept'));
    const emptied = await bench.createDatabase();
    requireSuccess(await command('restore', emptied, 'kept'));
    const results = await alternate(bench.rounds, {
      backup: async () => {
        const perSecond = await rowsPerSecond(async () =>
          requireSuccess(await command('backup', databaseUrl, 'again')),
        );
        await rm(join(folder, 'again'), { recursive: true });
        return perSecond;
      },
      copyOut: () =>
        rowsPerSecond(() =>
          script(
            `psql -qXc 'copy (select ${EVENT_COLUMNS} from event) to stdout' "$1" | gzip -1 > '${copied}' && sync '${copied}'`,
            databaseUrl,
          ),
        ),
      restore: async () => {
        const url = await bench.createDatabase();
        const perSecond = await rowsPerSecond(async () => requireSuccess(await command('restore', url, 'kept')));
        await requireAll(url);
        return perSecond;
      },
      copyIn: async () => {
        await query(emptied, 'truncate event');
        const perSecond = await rowsPerSecond(() =>
          script(`gunzip -c '${copied}' | psql -qXc 'copy event (${EVENT_COLUMNS}) from stdin' "$1"`, emptied),
        );
        await requireAll(emptied);
        return perSecond;
      },
    });
    const made = (path: string, values: number[], what: string, peer: number[]) =>
      row({ path, unit: 'rows/s', values, peer: { what, values: peer }, goal: { atLeast: 1 } });
    return [
      made('backup of a million events', results.backup, 'psql COPY of text with gzip -1', results.copyOut),
      made(
        'restore of a million events, checks included',
        results.restore,
        'gunzip with psql COPY of text',
        results.copyIn,
      ),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rowsPerSecond(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (ROWS / (performance.now() - begun)) * 1_000;
}

function requireSuccess({ code, stderr }: Ended): void {
  if (code !== 0) throw new Error(`the command ended with ${code}: ${stderr.slice(-500)}`);
}

async function requireAll(url: string): Promise<void> {
  const [found] = await query(url, 'select count(*)::int as count from event');
  if (found?.count !== ROWS) throw new Error(`${found?.count} rows came back instead of ${ROWS}`);
}

async function query(url: string, sql: string): Promise<{ count: number }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
