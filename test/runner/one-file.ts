/**
 * The process of one test file: `node one-file.js /path/to/x.test.js`. Runs its suites and reports over the IPC channel;
 * uvu's own output goes to standard output. When something still holds the process open after the last test, it says what.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { FileMessage, FileReport } from './file-report.js';
import { tally } from './tally.js';

type SuiteRun = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

const exitGraceMs = 3_000;
const replaced = new Map([
  ['uvu', new URL('./counted-uvu.js', import.meta.url).href],
  ['uvu/assert', new URL('./counted-assert.js', import.meta.url).href],
]);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = replaced.get(specifier);
    if (url === undefined || [...replaced.values()].includes(context.parentURL ?? '')) {
      return nextResolve(specifier, context);
    }
    return { url, shortCircuit: true };
  },
});

function tell(message: FileMessage): void {
  process.send?.(message);
}

async function runQueue(queue: SuiteRun[]): Promise<FileReport> {
  const report: FileReport = {
    suites: 0,
    tests: 0,
    passed: 0,
    skipped: 0,
    assertions: 0,
    forgotten: [],
    missingPrograms: [],
  };
  for (const run of queue) {
    const [errors, passed, skipped, total] = await run();
    if (errors !== true) process.stdout.write(`\n${errors}\n`);
    report.suites += 1;
    report.tests += total;
    report.passed += passed;
    report.skipped += skipped;
  }
  report.assertions = tally.assertions;
  report.forgotten = tally.suites.filter((suite) => !suite.ran).map((suite) => suite.name || '(unnamed)');
  report.missingPrograms = [...tally.missingPrograms];
  return report;
}

const file = process.argv[2];
if (file === undefined) throw new Error('Name the compiled test file to run');

// uvu reads these globals when it is first imported: the queue is ours to run, not uvu's timer's.
const queue: SuiteRun[] = [];
Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [queue] });
await import(pathToFileURL(file).href);
tell({ kind: 'finished', report: await runQueue(queue) });
setTimeout(() => {
  tell({ kind: 'open-handles', resources: process.getActiveResourcesInfo() });
}, exitGraceMs).unref();
