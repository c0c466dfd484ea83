import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyDirectory } from '../../../src/modules/access/keys/key-directory.js';
import { buildKey, buildWorld, type World } from '../../support/factories/factories.js';
import { recordStatements, type Statement } from '../../support/statements.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = suite('key directory');
const KEYS = 30;
let test: TestApp;
let world: World;
let secrets: string[];
/** Renewals waiting to be batched. */
const gathering: (() => void)[] = [];

x.before(async () => {
  test = await openTestApp();
  test.clock.set(new Date());
  world = await buildWorld(test);
  secrets = await Promise.all(Array.from({ length: KEYS }, () => buildKey(world.owner, world.projectId, 'live')));
});
x.after(() => test.close());

const open = async () => {
  const directory = new KeyDirectory(test.app.pool, test.clock, (renew) => gathering.push(renew));
  await Promise.all(secrets.map((secret) => directory.find(secret)));
  return directory;
};
const gatherAll = () => {
  for (const renew of gathering.splice(0)) renew();
};
const readsOfKeys = (statements: Statement[]) => statements.filter(({ text }) => text.includes('from project_key k'));
const known = (directory: KeyDirectory) => secrets.map((secret) => directory.known(secret));

x('keys that expire while in use are reread together, and served meanwhile', async () => {
  const directory = await open();
  const before = known(directory);
  assert.ok(before.every((standing) => standing !== null));
  test.clock.advance(3_200);
  const { statements } = await recordStatements(async () => {
    for (const [at, secret] of secrets.entries()) {
      assert.ok(directory.known(secret), `key ${at} is served`);
      // Requests arrive one at a time, and a key would be read on its own in between.
      await test.app.pool.query('select 1');
    }
    assert.is(gathering.length, 1);
    gatherAll();
    await until('all have been reread', () => known(directory).every((standing, at) => standing !== before[at]));
  });
  const asked = readsOfKeys(statements).map(({ values }) => (values[0] as string[]).length);
  assert.equal(asked, [KEYS]);
  test.clock.advance(2_000);
  assert.ok(
    known(directory).every((standing) => standing !== null),
    'they are fresh again',
  );
});

x('evicted keys are not reread needlessly, and come back on request', async () => {
  const directory = await open();
  test.clock.advance(3_200);
  const { statements } = await recordStatements(async () => {
    known(directory);
    directory.forget();
    assert.ok(known(directory).every((standing) => standing === null));
    const found = await directory.find(secrets[0] as string);
    assert.is(found?.actor.projectId, world.projectId);
    gatherAll();
    test.clock.advance(3_200);
    assert.is(directory.known(secrets[0] as string), found);
    gatherAll();
    await until('the found key has been reread', () => directory.known(secrets[0] as string) !== found);
  });
  const asked = readsOfKeys(statements).map(({ values }) => (values[0] as string[]).length);
  assert.equal(asked, [1, 1]);
});

x('a revoked key is served no longer than before', async () => {
  const directory = await open();
  const [secret = ''] = secrets;
  await test.app.pool.query('update project_key set revoked_at = now() where id = $1', [
    directory.known(secret)?.actor.keyId,
  ]);
  test.clock.advance(4_500);
  assert.is(directory.known(secret), null);
  assert.is(await directory.find(secret), null);
});

x.run();
