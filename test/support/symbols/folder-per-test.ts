import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';

/** Gives each test of a suite an empty folder, which is removed after it. */
export function folderPerTest(tests: Test<{ folder: string }>): void {
  tests.before.each(async (context) => {
    context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-test-'));
  });
  tests.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));
}
