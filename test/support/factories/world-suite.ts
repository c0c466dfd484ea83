import { suite, type Test } from 'uvu';
import { openTestApp, type TestApp, type TestAppOptions } from '../test-app.js';
import { buildWorld, type World } from './factories.js';

/** A suite on an application with a world of its own, which is closed after the last test. */
export function worldSuite<More = unknown>(
  name: string,
  options?: TestAppOptions,
): Test<{ test: TestApp; world: World } & More> {
  const tests = suite<{ test: TestApp; world: World } & More>(name);
  tests.before(async (context) => {
    context.test = await openTestApp(options);
    context.world = await buildWorld(context.test);
  });
  tests.after(({ test }) => test.close());
  return tests;
}
