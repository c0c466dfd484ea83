import type { BackupManifest } from '../storage/backup/backup-manifest.js';
import type { Command } from './command.js';

/** Commands of backups take their folder. */
export const FOLDER = {
  words: [{ asked: 'the folder of the backup' }],
  takes: 'one folder',
} satisfies Partial<Command>;

/** How a command ends that did all it could with a backup which is not whole. */
const INCOMPLETE = 3;

/** Says which objects a backup lacks, if any, and answers the exit code. */
export function endOf({ lost = [] }: BackupManifest): number {
  if (lost.length === 0) return 0;
  process.stderr.write(
    `The backup is not whole: the object store lacked ${lost.length} of the objects that rows name. They are lost if DATA_DIR, or S3_ENDPOINT and S3_BUCKET, ` +
      "were the server's; else make it again with those.\n",
  );
  for (const { key, table } of lost) process.stderr.write(`${table} ${key}\n`);
  return INCOMPLETE;
}
