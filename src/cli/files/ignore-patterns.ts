import { relative, sep } from 'node:path';
import ignore from 'ignore';

/** Whether to leave out a path below a folder. */
export type Ignores = (path: string, folder: string, isFolder: boolean) => boolean;

/**
 * Patterns as in `.gitignore`, in order, relative to the searched folder. Everything in an ignored folder is ignored.
 */
export function ignoresOf(patterns: readonly string[]): Ignores {
  const rules = ignore({ ignoreCase: false }).add(patterns.map((pattern) => pattern.replace(/^(!?)\.\//, '$1/')));
  return (path, folder, isFolder) =>
    rules.ignores(`${relative(folder, path).split(sep).join('/')}${isFolder ? '/' : ''}`);
}
