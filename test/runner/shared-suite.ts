import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The corpus of real symbol files and bad inputs: the folder `shared` next to the checkout. A plain clone does not have
 * it.
 */
export const sharedCorpus = fileURLToPath(new URL('../../../../shared', import.meta.url));

/** The name of the suite that needs the corpus; its files are in the folder of the same name. */
export const sharedSuite = 'shared';

/**
 * Whether a word on the command line names the suite (`shared`) or one of its files (`shared/retrace`,
 * `test/shared/retrace.test.ts`).
 */
export function asksForShared(filter: string): boolean {
  return new RegExp(`^(?:(?:\\./)?(?:dist/)?test/)?${sharedSuite}(?:/|$)`).test(filter);
}

export function corpusIsThere(): boolean {
  return existsSync(join(sharedCorpus, 'fixtures', 'symbols'));
}
