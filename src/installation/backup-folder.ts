import type { BackupManifest } from '../storage/backup/backup-manifest.js';
import type { Command } from './command.js';

/** Backup commands take a folder. */
export const FOLDER = {
  words: [{ asked: 'the folder of the backup' }],
  takes: 'one folder',
} satisfies Partial<Command>;

/** Exit code of a command that did everything possible with an incomplete backup. */
const INCOMPLETE = 3;

/** Lists the objects that a backup lacks, if any, and returns the exit code. */
export function endOf({ lost = [] }: BackupManifest): number {
  if (lost.length === 0) return 0;
  process.stderr.write(
    `The backup is incomplete: ${lost.length} of the objects that rows refer to were missing from the object store. If DATA_DIR, or S3_ENDPOINT and S3_BUCKET, ` +
      "were the server's, they are lost; otherwise back up again with the server's settings.\n",
  );
  for (const { key, table } of lost) process.stderr.write(`${table} ${key}\n`);
  return INCOMPLETE;
}
