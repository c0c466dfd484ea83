import { relative, sep } from 'node:path';
import ignore from 'ignore';

/** Whether a path below a folder is to be left out. */
export type Ignores = (path: string, folder: string, isFolder: boolean) => boolean;

/** Patterns as of `.gitignore`, in their order, from the folder that is looked through. What lies in an ignored folder is ignored. */
export function ignoresOf(patterns: readonly string[]): Ignores {
  const rules = ignore({ ignoreCase: false }).add(patterns.map((pattern) => pattern.replace(/^(!?)\.\//, '$1/')));
  return (path, folder, isFolder) =>
    rules.ignores(`${relative(folder, path).split(sep).join('/')}${isFolder ? '/' : ''}`);
}
