import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../settings/settings.js';
import { ignoresOf } from './ignore-patterns.js';

/** Something that was named, or found below a folder that was. */
export interface Place {
  path: string;
  /** The folder that was named, or that of a file that was. */
  folder: string;
  isNamed: boolean;
  /** A dSYM bundle is a folder, and is taken as a whole. */
  form: 'file' | 'bundle';
  /** Why it, or what is in it, cannot be read. */
  problem: string | null;
}

const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);

/** Looks through folders in the order of names. Links are followed; what was seen once, under whatever name, is not seen again. */
export class FolderWalk {
  private readonly seen = new Set<string>();
  private readonly ignores: ReturnType<typeof ignoresOf>;

  /** @param patterns what to leave out below folders, as in `.gitignore` */
  constructor(patterns: readonly string[]) {
    this.ignores = ignoresOf(patterns);
  }

  /** What is at the paths and below them, first what is named itself. Throws UsageError where there is nothing. */
  async *all(paths: readonly string[]): AsyncGenerator<Place> {
    const folders: string[] = [];
    for (const path of paths) {
      const there = await stat(path).catch(() => null);
      if (there === null) throw new UsageError(`There is nothing at ${path}.`);
      const isBundled = there.isDirectory() && isBundle(path);
      if (there.isDirectory() && !isBundled) folders.push(path);
      else if (this.isFirst(await realpath(path)))
        yield { path, folder: dirname(path), isNamed: true, form: isBundled ? 'bundle' : 'file', problem: null };
    }
    for (const folder of folders) if (this.isFirst(await realpath(folder))) yield* this.below(folder);
  }

  /** The files and dSYM bundles below a folder. */
  async *below(root: string, folder = root): AsyncGenerator<Place> {
    const found = { folder: root, isNamed: false };
    let names: string[] = [];
    try {
      names = (await readdir(folder)).sort();
    } catch (error) {
      yield { ...found, path: folder, form: 'file', problem: (error as Error).message };
    }
    for (const name of names) {
      const path = join(folder, name);
      if (SKIPPED_FOLDERS.has(name) || name.startsWith('._')) continue;
      // A link that leads nowhere, or in a circle of links, is none of the build.
      const [own, there] = await Promise.all([realpath(path), stat(path)]).catch(() => [null, null]);
      if (own === null || there === null || this.ignores(path, root, there.isDirectory()) || !this.isFirst(own))
        continue;
      if (there.isDirectory() && isBundle(path)) yield { ...found, path, form: 'bundle', problem: null };
      else if (there.isDirectory()) yield* this.below(root, path);
      else if (there.isFile()) yield { ...found, path, form: 'file', problem: null };
    }
  }

  private isFirst(own: string): boolean {
    if (this.seen.has(own)) return false;
    this.seen.add(own);
    return true;
  }
}

const isBundle = (path: string): boolean => /\.dSYM\/?$/i.test(path);
