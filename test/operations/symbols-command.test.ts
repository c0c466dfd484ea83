import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld, type World } from '../support/factories.js';
import { SMALL_MAP } from '../support/symbol-client.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const command = suite<{ test: TestApp; world: World; folder: string }>('quarterdeck symbols');

command.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-build-'));
});
command.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  out: string;
}

function run(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['dist/src/cli/main.js', 'symbols', ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

const settingsOf = (test: TestApp, world: World) => ({
  QUARTERDECK_URL: test.baseUrl,
  QUARTERDECK_TOKEN: world.owner.token,
});

command('uploads every map of a folder by its script’s name, and check finds them', async ({ test, world, folder }) => {
  const settings = settingsOf(test, world);
  const build = join(folder, 'web', 'assets');
  await mkdir(build, { recursive: true });
  for (const name of ['app.js', 'vendor.js']) {
    await writeFile(join(build, name), 'x');
    await writeFile(join(build, `${name}.map`), SMALL_MAP);
  }
  const before = await run(settings, 'check', '--release', '1.0', join(folder, 'web'));
  assert.is(before.code, 1);
  assert.match(before.out, /2 of 2 have no symbols/);
  const uploaded = await run(settings, 'upload', '--kind', 'js_sourcemap', '--release', '1.0', join(folder, 'web'));
  assert.is(uploaded.code, 0, uploaded.out);
  assert.match(uploaded.out, /2 of 2 uploaded/);
  assert.is((await run(settings, 'check', '--release', '1.0', join(folder, 'web'))).code, 0);
  const { body } = await world.owner.client.get('/api/v1/catch/symbols?release=1.0');
  const keys = (body as { artifacts: { match_key: string }[] }).artifacts.map((artifact) => artifact.match_key);
  assert.equal(keys.sort(), ['app.js', 'vendor.js']);
});

command('sends a dSYM folder as a zip that the server can read', async ({ test, world, folder }) => {
  const dwarf = join(folder, 'App.dSYM', 'Contents', 'Resources', 'DWARF');
  await mkdir(dwarf, { recursive: true });
  const uuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const command_ = Buffer.concat([Buffer.from([0x1b, 0, 0, 0, 24, 0, 0, 0]), uuid]);
  const header = Buffer.alloc(32);
  [0xfeedfacf, 0x0100000c, 0, 10, 1, command_.length].forEach((word, index) => header.writeUInt32LE(word, index * 4));
  await writeFile(join(dwarf, 'App'), Buffer.concat([header, command_]));
  const settings = settingsOf(test, world);
  const uploaded = await run(settings, 'upload', '--kind', 'ios_dsym', join(folder, 'App.dSYM'));
  assert.is(uploaded.code, 0, uploaded.out);
  assert.match(uploaded.out, /00112233-4455-6677-8899-aabbccddeeff/);
});

command('says what was wrong by its exit code', async ({ test, world, folder }) => {
  const settings = settingsOf(test, world);
  assert.is((await run({}, 'upload', '--kind', 'js_sourcemap', folder)).code, 2, 'no settings');
  assert.is((await run(settings, 'upload', '--kind', 'nothing', folder)).code, 2, 'no such kind');
  assert.is((await run(settings, 'upload', '--kind', 'android_ndk', folder)).code, 1, 'nothing found');
  const refused = await run({ ...settings, QUARTERDECK_TOKEN: 'a.b.c' }, 'upload', '--kind', 'js_sourcemap', folder);
  assert.is(refused.code, 1);
  assert.match(refused.out, /401 invalid_token/);
});

command.run();
