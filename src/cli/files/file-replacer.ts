import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { chmod, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

const DRAFT = /^\.quarterdeck-(\d+)-(?:([0-9a-f]{16})-)?[0-9a-f]{64}$/;

/** No draft of a command that runs is older: it is written and takes its file's place. */
const OLDEST_DRAFT_MS = 10 * 60_000;

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
      const [, id, place] = DRAFT.exec(name) ?? [];
      if (id === undefined) continue;
      const path = join(folder, name);
      const isLeft = place === PLACE ? !isOthers(Number(id)) : await isOld(path);
      if (isLeft) await rm(path, { force: true });
    }
  }
}

/** Where ids of processes are told apart: a machine, and on Linux a container of it. */
const PLACE = createHash('sha256').update(`${hostname()} ${namespaceOfIds()}`).digest('hex').slice(0, 16);

function namespaceOfIds(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Two commands at once write two drafts. The file's name may be as long as names can be. */
const draftOf = (path: string): string =>
  join(
    dirname(path),
    `.quarterdeck-${process.pid}-${PLACE}-${createHash('sha256').update(basename(path)).digest('hex')}`,
  );

async function isOld(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => null);
  return there !== null && Date.now() - there.mtimeMs > OLDEST_DRAFT_MS;
}

/** Whether another process of this id runs: in a container, each may have the id of the last. */
function isOthers(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
