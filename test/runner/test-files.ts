import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { asksForShared, sharedSuite } from './shared-suite.js';

/**
 * A filter as part of a compiled file's path: `test/rest/config.test.ts` and `config` both match `rest/config.test.js`.
 */
function asPart(filter: string): string {
  return filter.replace(/^(?:\.\/)?(?:dist\/)?test\//, '').replace(/\.(?:ts|js)$/, '');
}

/**
 * The compiled test files below a folder, sorted by path; with filters, only those whose relative path contains one of
 * them. A filter may name the source (`test/rest/config.test.ts`) or any part of the path (`config`). Files of the
 * suite `shared` are found only by filters that ask for it, and such filters find nothing else.
 */
export function findTestFiles(folder: string, filters: readonly string[]): string[] {
  const isWanted = (path: string): boolean => {
    const belongs = path.startsWith(`${sharedSuite}/`);
    if (filters.length === 0) return !belongs;
    return filters.some((filter) => asksForShared(filter) === belongs && path.includes(asPart(filter)));
  };
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isWanted(relative(folder, file)))
    .sort();
}
