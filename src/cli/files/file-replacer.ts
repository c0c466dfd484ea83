import { createHash } from 'node:crypto';
import { chmod, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const DRAFT = /^\.quarterdeck-(\d+)-[0-9a-f]{64}$/;

/** Writes files so that whoever reads them meanwhile has all of what they were or all of what they are. */
export class FileReplacer {
  private readonly swept = new Set<string>();

  /** Writes each of the files, with the rights that it has, or none where one cannot be written. Links stay links. */
  async write(files: readonly (readonly [path: string, text: string])[]): Promise<void> {
    const drafts: { draft: string; path: string }[] = [];
    try {
      for (const [named, text] of files) {
        const path = await realpath(named).catch(() => named);
        const there = await stat(path).catch(() => null);
        // A device or a pipe takes what is written to it; a file cannot take its place.
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

  /** Removes what commands that were killed left in a folder. */
  private async sweep(folder: string): Promise<void> {
    if (this.swept.has(folder)) return;
    this.swept.add(folder);
    for (const name of await readdir(folder).catch(() => [])) {
      const id = DRAFT.exec(name)?.[1];
      if (id !== undefined && !isOthers(Number(id))) await rm(join(folder, name), { force: true });
    }
  }
}

/** Two commands at once write two drafts. The file's name may be as long as names can be. */
const draftOf = (path: string): string =>
  join(dirname(path), `.quarterdeck-${process.pid}-${createHash('sha256').update(basename(path)).digest('hex')}`);

/** Whether another process of this id runs: in a container, each may have the id of the last. */
function isOthers(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
