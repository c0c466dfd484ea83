import { type FileHandle, mkdtemp, open, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An unlinked temporary file, so that a crash leaves nothing behind. */
export async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-'));
  const path = join(folder, 'spool');
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  await rmdir(folder);
  return file;
}
