import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTestFiles } from '../../runner/test-files.js';
import { runFile } from '../../runner/test-lane.js';
import type { TortureContext, TortureRow } from '../torture.js';

const FILE_MS = 300_000;

/** Files that cannot test a cluster, and why. */
const OF_ONE_PROCESS: Readonly<Record<string, string>> = {
  'fast-rows.test.js': 'compares the raw bytes of one process, and what it counted of them',
};
const tests = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Every file in `test/rest`, each against its own cluster: `openTestApp` gives them the proxy's origin, a database to
 * look into, and a clock that controls all processes. Files that start servers themselves do the same here.
 */
export async function passTheRestSuite(torture: TortureContext): Promise<TortureRow> {
  const environment = {
    ...process.env,
    TEST_DATABASE_URL: torture.databaseUrl,
    TEST_RUN: randomUUID(),
    TEST_DEPLOYMENT: 'cluster',
  };
  let passed = 0;
  let assertions = 0;
  const faults: string[] = [];
  const files = findTestFiles(tests, ['rest/']).filter((file) => !OF_ONE_PROCESS[basename(file)]);
  for (const file of files) {
    const outcome = await runFile(file, environment, FILE_MS);
    const { report } = outcome;
    passed += report?.passed ?? 0;
    assertions += report?.assertions ?? 0;
    if (report && report.passed === report.tests && outcome.faults.length === 0) continue;
    faults.push(file, ...outcome.faults);
    torture.log(outcome.output);
  }
  return {
    promise: 'two API processes and a worker behind a proxy pass the whole REST suite',
    seen: `${files.length} files, ${passed} tests, ${assertions} assertions passed${leftOutText()}${faults.length > 0 ? `; failed: ${faults.join(', ')}` : ''}`,
    held: faults.length === 0 && passed > 0,
  };
}

function leftOutText(): string {
  const left = Object.entries(OF_ONE_PROCESS).map(
    ([file, reason]) => `${file.replace(/\.js$/, '.ts')}, which ${reason}`,
  );
  return left.length > 0 ? ` (without ${left.join('; ')})` : '';
}
