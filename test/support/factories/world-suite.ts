import { suite, type Test } from 'uvu';
import { openTestApp, type TestApp, type TestAppOptions } from '../test-app.js';
import { buildWorld, type World } from './factories.js';

/** An application and a world on it. */
interface Place {
  test: TestApp;
  world: World;
}

/** The place of a suite: it is there from before the first test until after the last. */
export function inWorld(suite: Test, options?: TestAppOptions): Place {
  const here = {} as Place;
  suite.before(async () => {
    here.test = await openTestApp(options);
    here.world = await buildWorld(here.test);
  });
  suite.after(() => here.test?.close());
  return here;
}

/** A suite on an application with a world of its own, which is closed after the last test. */
export function worldSuite<More = unknown>(name: string, options?: TestAppOptions): Test<Place & More> {
  const tests = suite<Place & More>(name);
  tests.before(async (context) => {
    context.test = await openTestApp(options);
    context.world = await buildWorld(context.test);
  });
  tests.after(({ test }) => test.close());
  return tests;
}

/** A suite on one application, each of whose tests has a world of its own. */
export function worldPerTestSuite<More = unknown>(name: string, options?: TestAppOptions): Test<Place & More> {
  const tests = suite<Place & More>(name);
  tests.before(async (context) => {
    context.test = await openTestApp(options);
  });
  tests.before.each(async (context) => {
    context.world = await buildWorld(context.test);
  });
  tests.after(({ test }) => test.close());
  return tests;
}
