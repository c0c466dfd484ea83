import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The compiled test files below a folder, in order of path; with filters only those whose relative path contains one of them.
 * A filter may name the source (`test/rest/config.test.ts`) or any part of the path (`config`).
 */
export function findTestFiles(folder: string, filters: readonly string[]): string[] {
  const wanted = filters.map((filter) => filter.replace(/^(?:\.\/)?(?:dist\/)?test\//, '').replace(/\.(?:ts|js)$/, ''));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => wanted.length === 0 || wanted.some((part) => relative(folder, file).includes(part)))
    .sort();
}
