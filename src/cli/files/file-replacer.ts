import { hash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { chmod, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

const DRAFT = /^\.quarterdeck-(\d+)-(?:([0-9a-f]{16})-)?[0-9a-f]{64}$/;

/** A running command writes and renames its drafts within this time. */
const OLDEST_DRAFT_MS = 10 * 60_000;

/** Replaces files atomically: a concurrent reader sees either the old or the new content. */
export class FileReplacer {
  private readonly swept = new Set<string>();

  /** Writes all files, or none if one cannot be written. Permissions are kept, and links stay links. */
  async write(files: readonly (readonly [path: string, text: string])[]): Promise<void> {
    const drafts: { draft: string; path: string }[] = [];
    try {
      for (const [named, text] of files) {
        const path = await realpath(named).catch(() => named);
        const there = await stat(path).catch(() => null);
        // A device or a pipe is written to directly; a file cannot replace it.
        if (there !== null && !there.isFile()) {
          await writeFile(path, text);
          continue;
        }
        await this.sweep(dirname(path));
        const draft = draftOf(path);
        drafts.push({ draft, path });
        await writeFile(draft, text);
        if (there !== null) await chmod(draft, there.mode);
      }
      for (const { draft, path } of drafts) await rename(draft, path);
    } catch (error) {
      for (const { draft } of drafts) await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Removes drafts that killed commands left in a folder. */
  private async sweep(folder: string): Promise<void> {
    if (this.swept.has(folder)) return;
    this.swept.add(folder);
    for (const name of await readdir(folder).catch(() => [])) {
      const [, id, place] = DRAFT.exec(name) ?? [];
      if (id === undefined) continue;
      const path = join(folder, name);
      const isLeft = place === PLACE ? !isOthers(Number(id)) : await isOld(path);
      if (isLeft) await rm(path, { force: true });
    }
  }
}

/** The scope in which process ids are unique: a machine or, on Linux, a container. */
const PLACE = hash('sha256', `${hostname()} ${namespaceOfIds()}`).slice(0, 16);

function namespaceOfIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Concurrent commands write separate drafts. The file's own name may already have the maximum length. */
const draftOf = (path: string): string =>
  join(dirname(path), `.quarterdeck-${process.pid}-${PLACE}-${hash('sha256', basename(path))}`);

async function isOld(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => null);
  return there !== null && Date.now() - there.mtimeMs > OLDEST_DRAFT_MS;
}

/** Whether another process with this id is running; in a container, consecutive commands may share an id. */
function isOthers(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
