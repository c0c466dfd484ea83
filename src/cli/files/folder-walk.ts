import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { UsageError } from '../settings/settings.js';

/** A path that was named, or found below a named folder. */
export interface Place {
  path: string;
  /** The named folder, or the folder of the named file. */
  folder: string;
  isNamed: boolean;
  /** A dSYM bundle is a folder that is taken as a whole. */
  form: 'file' | 'bundle';
  /** Why it, or its content, cannot be read. */
  problem: string | null;
}

const SKIPPED_FOLDERS = new Set(['node_modules', '.git']);

/** Walks folders in order of name. Links are followed, and each file is visited once whatever its name. */
export class FolderWalk {
  private readonly seen = new Set<string>();
  private readonly ignores: ReturnType<typeof ignoresOf>;

  /** @param patterns what to leave out in folders, as in `.gitignore` */
  constructor(patterns: readonly string[]) {
    this.ignores = ignoresOf(patterns);
  }

  /** Everything at and below the paths, named files first. Throws UsageError for a path that does not exist. */
  async *all(paths: readonly string[]): AsyncGenerator<Place> {
    const folders: string[] = [];
    for (const path of paths) {
      const there = await stat(path).catch(() => null);
      if (there === null) throw new UsageError(`No such file or folder: ${path}`);
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
      // A broken or circular link is not part of the build.
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

type Ignores = (path: string, folder: string, isFolder: boolean) => boolean;

/**
 * Patterns as in `.gitignore`, in order, relative to the searched folder. Everything in an ignored folder is ignored.
 */
function ignoresOf(patterns: readonly string[]): Ignores {
  const rules = ignore({ ignoreCase: false }).add(patterns.map((pattern) => pattern.replace(/^(!?)\.\//, '$1/')));
  return (path, folder, isFolder) =>
    rules.ignores(`${relative(folder, path).split(sep).join('/')}${isFolder ? '/' : ''}`);
}
