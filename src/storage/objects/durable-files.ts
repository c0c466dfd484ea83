import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder with its missing parents and returns the topmost one created. Node's own recursion never ends where
 * none can be created, as under /proc.
 */
export async function makeFolder(path: string, mode = 0o700): Promise<string | undefined> {
  const make = async () => {
    try {
      await mkdir(path, { mode });
      return path;
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory();
      if (!isThere) throw error;
      return undefined;
    }
  };
  try {
    return await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    const uppermost = await makeFolder(dirname(path), mode);
    const made = await make();
    return uppermost ?? made;
  }
}

/** Makes renames, creations and removals in a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file (mode 0600) atomically, replacing an existing one. */
export async function writeWhole(path: string, content: string | Buffer): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Like {@link writeWhole}, but keeps an existing file; of concurrent writers, one wins. */
export async function writeFirst(path: string, content: string | Buffer): Promise<void> {
  const draft = await writeDraft(path, content);
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(path));
}

async function writeDraft(path: string, content: string | Buffer): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
