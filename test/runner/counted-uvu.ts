/** Replaces `uvu` in test files: the same suites, but recording which were declared and which were run. */
import { type Callback, suite as realSuite, type Test } from 'uvu';
import { type DeclaredSuite, tally } from './tally.js';

export { exec } from 'uvu';

export function suite<T>(name = '', state?: T): Test<T> {
  return noted(realSuite(name, state), name);
}

export const test: Test = noted(realSuite(''), '');

function noted<T>(real: Test<T>, name: string): Test<T> {
  let record: DeclaredSuite = { name, tests: 0, ran: false };
  // The unnamed suite of `import { test } from 'uvu'` exists in every file, used or not.
  if (name !== '') tally.suites.push(record);
  const declare: Test<T> = Object.assign(
    (title: string, handler: Parameters<Test<T>>[1]) => {
      if (name === '' && record.tests === 0) tally.suites.push(record);
      record.tests += 1;
      real(title, handler);
    },
    {
      only: (title: string, handler: Parameters<Test<T>>[1]) => {
        record.tests += 1;
        real.only(title, handler);
      },
      skip: real.skip,
      before: Object.assign((hook: Callback<T>) => real.before(loud(hook, name)), { each: real.before.each }),
      after: real.after,
      run: () => {
        record.ran = true;
        // The next file also uses the unnamed suite.
        if (name === '') record = { name, tests: 0, ran: false };
        real.run();
      },
    },
  );
  return declare;
}

/** uvu swallows errors thrown by a `before` hook, and the tests simply do not run. This prints the error first. */
function loud<T>(hook: Callback<T>, name: string): Callback<T> {
  return async (context) => {
    try {
      await hook(context);
    } catch (error) {
      process.stdout.write(
        `\n  before hook of "${name}" failed: ${error instanceof Error ? error.stack : String(error)}\n`,
      );
      throw error;
    }
  };
}
