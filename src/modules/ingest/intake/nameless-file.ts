import { type FileHandle, mkdtemp, open, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file that no longer has a name, so that nothing is left of it after a crash. */
export async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-'));
  const path = join(folder, 'spool');
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  await rmdir(folder);
  return file;
}
