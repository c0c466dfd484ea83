/**
 * The process of a lane. Runs the test files it is given, one after another, so that the application is loaded once,
 * and reports over the IPC channel. A file is done when only the channel keeps the process open. If something else
 * still does long after the last test (TEST_EXIT_GRACE seconds), the process says what it is and is terminated.
 */
import 'reflect-metadata';
import { flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { FileMessage, FileReport } from './file-report.js';
import { resetTally, tally } from './tally.js';

type SuiteRun = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

/** Longer than anything takes that ends on its own. */
const exitGraceMs = Number(process.env.TEST_EXIT_GRACE ?? 60) * 1000;
const LARGEST_BYTES = 1_400 * 1024 * 1024;
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

// uvu reads these globals: we run the queue, not uvu's timer.
const queue: SuiteRun[] = [];
Object.assign(globalThis, { UVU_DEFER: 1, UVU_INDEX: 0, UVU_QUEUE: [queue] });

function tell(message: FileMessage): void {
  process.send?.(message);
}

/**
 * Whether so much memory is in use, excluding garbage, that collecting garbage takes longer than reloading the
 * application.
 */
function isLarge(): boolean {
  if (bytesInUse() > LARGEST_BYTES) globalThis.gc?.();
  return bytesInUse() > LARGEST_BYTES;
}

function bytesInUse(): number {
  const { rss, heapTotal, heapUsed } = process.memoryUsage();
  return rss - heapTotal + heapUsed;
}

async function runQueue(): Promise<FileReport> {
  const report: FileReport = {
    suites: 0,
    tests: 0,
    passed: 0,
    skipped: 0,
    assertions: 0,
    forgotten: [],
    missingPrograms: [],
    missingRights: [],
    unclaimedCpuMs: 0,
  };
  for (const run of queue.splice(0)) {
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
  report.missingRights = [...tally.missingRights];
  report.unclaimedCpuMs = Math.round(tally.unclaimedCpuMs);
  return report;
}

process.on('message', async (file: string) => {
  // With a test that never settles there is nothing left to wait for, and the process exits.
  process.channel?.unref();
  resetTally();
  await import(pathToFileURL(file).href);
  const report = await runQueue();
  const timer = setTimeout(() => {
    tell({ kind: 'open-handles', resources: process.getActiveResourcesInfo() });
  }, exitGraceMs).unref();
  process.once('beforeExit', () => {
    clearTimeout(timer);
    // The runner ends lanes with a signal, after which Node would not save its compile cache.
    flushCompileCache();
    process.channel?.ref();
    tell({ kind: 'over', isLarge: isLarge() });
  });
  tell({ kind: 'finished', report });
});
