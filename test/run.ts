/**
 * The test runner: `npm test`, or `npm test -- config surveys` for the files whose path contains one of the words. `npm
 * test -- shared` runs the suite in test/shared, which needs the corpus in the folder `shared` next to the checkout and
 * fails without it.
 *
 * Runs the compiled uvu files in a few parallel lanes. Each lane is a process that loads the application once. All use
 * one PostgreSQL server, whose URL is in TEST_DATABASE_URL; TEST_RUN names the run. A file fails if it runs no suite,
 * forgets `.run()`, makes no assertion or does not finish. Skipped tests fail when CI=true, and programs missing on the
 * machine when TEST_REQUIRE_ALL=true.
 *
 * A run records in dist/.test-times.json how long each file took, so that the next run can start with the slowest.
 * Settings: TEST_DATABASE_URL, TEST_JOBS (one more than the number of cores, 4 at most), TEST_FILE_TIMEOUT (seconds,
 * 600).
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMsOfTree } from './harness/cpu.js';
import { startThrowawayDatabase } from './runner/database.js';
import { noteTimes, readKnownTimes } from './runner/known-times.js';
import { asksForShared, corpusIsThere, sharedSuite } from './runner/shared-suite.js';
import { findTestFiles } from './runner/test-files.js';
import { type FileOutcome, TestLane } from './runner/test-lane.js';
import { type EmittedEvents, judgeEmittedEvents } from './support/emitted-events.js';
import { type AnsweredOperations, judgeAnswers } from './support/openapi/answered-operations.js';

const folder = dirname(fileURLToPath(import.meta.url));
const inCi = process.env.CI === 'true';
const requireAll = process.env.TEST_REQUIRE_ALL === 'true';
// One more than there are processors: a lane spends a third of its time waiting for a process or a page.
const jobs = Number(process.env.TEST_JOBS ?? Math.min(4, availableParallelism() + 1));
const timeoutMs = Number(process.env.TEST_FILE_TIMEOUT ?? 600) * 1000;
const startedAt = performance.now();
const knownTimes = join(folder, '../.test-times.json');
/** Folders whose files start servers or a browser, slowest first. */
const FOLDERS_OF_PROCESSES = ['torture/', 'console/', 'browser/', 'operations/', 'start/'];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function shortName(file: string): string {
  return `test/${relative(folder, file).replace(/\.js$/, '.ts')}`;
}

function explain(outcome: FileOutcome): void {
  say(`\n✘ ${shortName(outcome.file)} (${Math.round(outcome.ms)} ms)`);
  for (const fault of outcome.faults) say(`  ${fault}`);
  say(outcome.output.trimEnd());
}

function failuresOf({ report, faults }: FileOutcome): number {
  const failedTests = report ? report.tests - report.passed : 0;
  return Math.max(failedTests, faults.length > 0 ? 1 : 0);
}

/**
 * Orders the files so that the lanes finish together: slowest first, by their last run here. Before any run, files that
 * start processes of their own come first, by folder.
 */
function longestFirst(files: readonly string[]): string[] {
  const known = readKnownTimes(knownTimes);
  const guess = (file: string): number => {
    const at = FOLDERS_OF_PROCESSES.findIndex((name) => file.startsWith(join(folder, name)));
    return at < 0 ? 0 : (FOLDERS_OF_PROCESSES.length - at) * 10_000;
  };
  const weight = (file: string): number => known[shortName(file)]?.ms ?? guess(file);
  return files.toSorted((a, b) => weight(b) - weight(a));
}

interface Run {
  outcomes: FileOutcome[];
  isEnding: boolean;
}

/** Takes files off the list until none is left or the run ends. */
async function runAll(waiting: string[], lanes: readonly TestLane[], run: Run): Promise<void> {
  const fill = async (lane: TestLane): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const outcome = await lane.run(file);
      // An interrupted run prints no summary.
      if (run.isEnding) await new Promise<never>(() => {});
      run.outcomes.push(outcome);
      if (failuresOf(outcome) > 0) explain(outcome);
    }
    lane.close();
  };
  await Promise.all(lanes.map(fill));
}

/** A full run must have seen every kind of event in the catalogue, each in its documented shape. */
function eventFaults({ missing, misshapen }: EmittedEvents): number {
  if (missing.length > 0) say(`nothing emitted these kinds of event: ${missing.join(', ')}`);
  if (misshapen.length > 0) say(`stored with other data than the catalogue says: ${misshapen.join(', ')}`);
  return missing.length + misshapen.length;
}

/** No answer may be missing from openapi.json, and a full run must have seen every answer documented there. */
function answerFaults({ missing, undocumented }: AnsweredOperations): number {
  for (const answer of undocumented) say(`not as openapi.json says: ${answer}`);
  if (missing.length > 0) say(`openapi.json documents what no test produced:\n  ${missing.join('\n  ')}`);
  return missing.length + undocumented.length;
}

/**
 * Reports, one line each, which files skipped a part because this machine lacks a program or this user lacks a
 * permission. Returns the number of missing programs.
 */
function sayWhatIsMissing(outcomes: readonly FileOutcome[]): number {
  const filesBy = (list: 'missingPrograms' | 'missingRights') =>
    Map.groupBy(
      outcomes.flatMap(({ file, report }) =>
        (report?.[list] ?? []).map((missing) => ({ missing, name: shortName(file) })),
      ),
      ({ missing }) => missing,
    );
  const namesOf = (files: readonly { name: string }[]) =>
    files
      .map(({ name }) => name)
      .sort()
      .join(', ');
  const programs = filesBy('missingPrograms');
  for (const [program, files] of programs)
    say(`${program} is not installed: what needs it was not tested in ${namesOf(files)}`);
  for (const [right, files] of filesBy('missingRights'))
    say(`this user may not ${right}: what needs that was not tested in ${namesOf(files)}`);
  return programs.size;
}

interface Notes {
  emitted: EmittedEvents | null;
  answered: AnsweredOperations;
}

function summarise(outcomes: readonly FileOutcome[], { emitted, answered }: Notes): number {
  const sum = (pick: (outcome: FileOutcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0);
  const passed = sum(({ report }) => report?.passed ?? 0);
  const skipped = sum(({ report }) => report?.skipped ?? 0);
  let failed = sum(failuresOf);
  if (inCi && skipped > 0) failed += 1;
  if (emitted) failed += eventFaults(emitted);
  failed += answerFaults(answered);

  const cpuMs = cpuMsOfTree(process.pid) + sum(({ report }) => report?.unclaimedCpuMs ?? 0);
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, 3);
  noteTimes(
    knownTimes,
    Object.fromEntries(outcomes.map(({ file, ms, cpuMs }) => [shortName(file), { cpuMs, ms: Math.round(ms) }])),
  );
  say('');
  const missing = sayWhatIsMissing(outcomes);
  if (requireAll) failed += missing;
  if (emitted)
    say(`not run: the suite ${sharedSuite}, which needs the corpus beside the checkout (npm test -- ${sharedSuite})`);
  if (skipped > 0) say(`${skipped} tests skipped${inCi ? ', which CI does not allow' : ''}`);
  say(
    `${outcomes.length} files, ${sum(({ report }) => report?.suites ?? 0)} suites, ` +
      `${sum(({ report }) => report?.assertions ?? 0)} assertions in ${((performance.now() - startedAt) / 1000).toFixed(1)} s` +
      `${cpuMs > 0 ? `, ${Math.round(cpuMs / 1000)} s of processor time` : ''}; slowest: ` +
      slowest.map((outcome) => `${shortName(outcome.file)} ${(outcome.ms / 1000).toFixed(1)} s`).join(', '),
  );
  say(`${passed} passed, ${failed} failed`);
  return failed;
}

/** The reason why nothing can run, if there is one. */
function wrongWith(files: readonly string[], filters: readonly string[]): string | undefined {
  if (files.length === 0) return `No test file matches ${filters.join(' ') || 'test/**/*.test.ts'}`;
  if (filters.some(asksForShared) && !corpusIsThere())
    return `The suite ${sharedSuite} needs the corpus of symbol files and bad inputs in ../shared beside the checkout, which is not there`;
  return undefined;
}

async function main(): Promise<number> {
  const filters = process.argv.slice(2);
  const files = findTestFiles(folder, filters);
  const fault = wrongWith(files, filters);
  if (fault !== undefined) {
    say(fault);
    say('0 passed, 1 failed');
    return 1;
  }
  const database = await startThrowawayDatabase();
  const notes = await mkdtemp(join(tmpdir(), 'quarterdeck-notes-'));
  const emitted = join(notes, 'events');
  const answered = join(notes, 'answers');
  for (const folder of [emitted, answered]) await mkdir(folder);
  const waiting = longestFirst(files);
  const environment = {
    ...process.env,
    TEST_DATABASE_URL: database.url,
    TEST_RUN: randomUUID(),
    NODE_COMPILE_CACHE: join(folder, '../.compile-cache'),
    TEST_EMITTED_EVENTS: emitted,
    TEST_ANSWERED: answered,
    // On a busy machine, requests wait for a connection and statements for their turn.
    DATABASE_PATIENCE_MS: '300000',
    GRAPHQL_READING_MS: '300000',
  };
  const lanes = Array.from({ length: Math.max(1, jobs) }, () => new TestLane(environment, timeoutMs));
  const run: Run = { outcomes: [], isEnding: false };
  const end = async (): Promise<never> => {
    run.isEnding = true;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    say(`ended from outside after ${seconds} s, with ${run.outcomes.length} of ${files.length} files through`);
    for (const lane of lanes) lane.stop();
    await database.stop();
    await rm(notes, { recursive: true, force: true });
    process.exit(130);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    await runAll(waiting, lanes, run);
    const whole = filters.length === 0;
    const answers = judgeAnswers(answered);
    const seen: Notes = {
      emitted: whole ? judgeEmittedEvents(emitted) : null,
      answered: whole ? answers : { ...answers, missing: [] },
    };
    return summarise(run.outcomes, seen) === 0 ? 0 : 1;
  } finally {
    await database.stop();
    await rm(notes, { recursive: true, force: true });
  }
}

process.exit(await main());
