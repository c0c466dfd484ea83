import { suite, type Test } from 'uvu';
import { openTestApp, type TestApp, type TestAppOptions } from '../test-app.js';
import { buildWorld, type World } from './factories.js';

/** A suite with its context, for helpers that tests call without passing it. */
type PlacedSuite<Place> = Test<Place> & { readonly here: Place };

/** A suite on an application, which is closed after the last test. */
export function appSuite<More = unknown>(
  name: string,
  options?: TestAppOptions,
): PlacedSuite<{ test: TestApp } & More> {
  const here = {} as { test: TestApp } & More;
  const tests = suite(name, here);
  tests.before(async () => {
    here.test = await openTestApp(options);
  });
  tests.after(() => here.test?.close());
  return Object.assign(tests, { here });
}

/** A suite on an application with a world of its own. */
export function worldSuite<More = unknown>(
  name: string,
  options?: TestAppOptions,
): PlacedSuite<{ test: TestApp; world: World } & More> {
  const tests = appSuite<{ world: World } & More>(name, options);
  tests.before(async (context) => {
    context.world = await buildWorld(context.test);
  });
  return tests;
}

/** A suite on one application, each of whose tests has a world of its own. */
export function worldPerTestSuite<More = unknown>(
  name: string,
  options?: TestAppOptions,
): PlacedSuite<{ test: TestApp; world: World } & More> {
  const tests = appSuite<{ world: World } & More>(name, options);
  tests.before.each(async (context) => {
    context.world = await buildWorld(context.test);
  });
  return tests;
}
