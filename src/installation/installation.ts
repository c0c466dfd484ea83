import { parseArgs } from 'node:util';
import type { Env } from '../env.js';
import type { Installation } from '../storage/backup/backup.js';
import type { BackupManifest } from '../storage/backup/backup-manifest.js';
import { connectionsFor, startEmbeddedDatabase } from '../storage/embedded/embedded-database.js';
import { openObjectStore } from '../storage/objects/open-object-store.js';
import { clearProgress } from './shown-progress.js';
import { requireDatabase } from './start-checks.js';

/** What a person asked a command for. */
interface Asked {
  /** As it was named. */
  folder: string;
  check: boolean;
}

/** How a command ends that did all it could with a backup which is not whole. */
const INCOMPLETE = 3;

/**
 * Runs a command that takes a folder, and `--check` where its usage says so. A failure is printed as one sentence and ends the process
 * with 1, whatever it still waits for; words that the command does not take end it with 2, objects that the backup lacks with 3.
 */
export async function runCommand(
  { usage, does }: { usage: string; does: string },
  command: (asked: Asked, say: (line: string) => void) => Promise<BackupManifest>,
): Promise<void> {
  const help = `${usage}\n${does}\n`;
  const asked = askedOf(process.argv.slice(2), usage.includes('--check'));
  if (asked === 'help') {
    process.stdout.write(help);
    return;
  }
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n\n${help}`);
    process.exit(2);
  }
  try {
    const { lost = [] } = await command(asked, (line) => {
      clearProgress();
      process.stdout.write(`${line}\n`);
    });
    if (lost.length === 0) return;
    process.exitCode = INCOMPLETE;
    process.stderr.write(
      `The backup is not whole: the object store lacked ${lost.length} of the objects that rows name. They are lost if DATA_DIR, or S3_ENDPOINT and S3_BUCKET, ` +
        "were the server's; else make it again with those.\n",
    );
    for (const { key, table } of lost) process.stderr.write(`${table} ${key}\n`);
  } catch (error) {
    clearProgress();
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** What the words ask for, or what is wrong with them. */
function askedOf(args: string[], takesCheck: boolean): Asked | 'help' | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        ...(takesCheck && { check: { type: 'boolean', default: false } as const }),
      },
    });
    if (values.help) return 'help';
    const [folder, ...others] = positionals;
    if (!folder) return 'Name the folder of the backup.';
    if (others.length > 0) return `It takes one folder, and not ${others.join(' ')}.`;
    return { folder, check: values.check === true };
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Does something to the database and the objects that the settings name; an embedded database is started for it, or the one of
 * a running server used.
 */
export async function withInstallation<T>(env: Env, work: (installation: Installation) => Promise<T>): Promise<T> {
  if (env.databaseUrl) await requireDatabase(env.databaseUrl);
  const embedded = env.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({
        dataDir: env.dataDir,
        onProgress: () => {},
        maxConnections: connectionsFor(env),
      });
  try {
    const databaseUrl = env.databaseUrl ?? embedded?.url ?? '';
    const objects = await openObjectStore(env, { linkBase: env.publicUrl, linkSecret: '' });
    return await work({ databaseUrl, objects, dataDir: env.dataDir });
  } finally {
    await embedded?.stop();
  }
}
