import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTestFiles } from './test-files.js';
import { type FileOutcome, runFile } from './test-lane.js';

const guards = suite('runner guards');

function fixture(name: string, timeoutMs = 300_000): Promise<FileOutcome> {
  const file = fileURLToPath(new URL(`./fixtures/${name}.js`, import.meta.url));
  return runFile(file, { ...process.env, TEST_EXIT_GRACE: '3' }, timeoutMs);
}

guards('counts the suites, tests and assertions of a passing file', async () => {
  const { report, faults } = await fixture('passes');
  assert.equal(faults, []);
  assert.equal(report, {
    suites: 1,
    tests: 2,
    passed: 2,
    skipped: 0,
    assertions: 3,
    forgotten: [],
    missingPrograms: [],
    missingRights: [],
    unclaimedCpuMs: 0,
  });
});

guards('reports a failing test with the diff', async () => {
  const { report, output } = await fixture('fails');
  assert.is(report?.tests, 2);
  assert.is(report?.passed, 1);
  assert.match(output, 'right');
});

guards('names a suite whose run() was forgotten', async () => {
  const { faults } = await fixture('forgets-run');
  assert.equal(faults, ['suite second was declared but never run: its .run() is missing']);
});

guards('rejects a file that asserts nothing', async () => {
  const { faults } = await fixture('asserts-nothing');
  assert.equal(faults, ['made no assertion with uvu/assert']);
});

guards('rejects a file whose test never settles', async () => {
  const { faults } = await fixture('never-settles');
  assert.is(faults.length, 1);
  assert.match(faults[0] ?? '', 'before its tests were through');
});

guards('ends a file that hangs', async () => {
  const { faults } = await fixture('hangs', 1_000);
  assert.equal(faults, ['did not finish within 1 s']);
});

guards('names the kind of handle that keeps a finished file alive', async () => {
  const { faults } = await fixture('holds-open');
  assert.is(faults.length, 1);
  assert.match(faults[0] ?? '', 'TCPServerWrap');
});

guards('counts tests after a broken before hook as failed and prints the reason', async () => {
  const { report, output } = await fixture('breaks-in-before');
  assert.is(report?.tests, 1);
  assert.is(report?.passed, 0);
  assert.match(output, 'no harbour');
});

guards('names a program that part of a file needs and the machine lacks', async () => {
  const { report, faults } = await fixture('lacks-a-program');
  assert.equal(faults, []);
  assert.equal(report?.missingPrograms, ['no-such-program']);
  assert.is(report?.passed, 1);
});

guards('the suite that needs the corpus runs only on request', () => {
  const here = fileURLToPath(new URL('..', import.meta.url));
  const names = (...filters: string[]) => findTestFiles(here, filters).map((file) => file.slice(here.length));
  const ofSuite = names('shared');
  assert.ok(ofSuite.length > 0);
  assert.ok(ofSuite.every((name) => name.startsWith('shared/')));
  assert.equal(
    [...names(), ...names('retrace')].filter((name) => name.startsWith('shared/')),
    [],
  );
  assert.equal(names('test/shared/retrace.test.ts'), ['shared/retrace.test.js']);
});

guards('a filter matches part of a path, and an unknown one matches nothing', () => {
  const here = fileURLToPath(new URL('..', import.meta.url));
  assert.is(findTestFiles(here, ['test/runner/guards.test.ts']).length, 1);
  assert.is(findTestFiles(here, ['no such file']).length, 0);
});

guards.run();
