import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { uploadFile } from '../../../src/cli/server/upload-file.js';
import type { World } from '../../support/factories/factories.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { type CommandOptions, symbolsCommand } from '../../support/symbols/symbols-command.js';
import type { TestApp } from '../../support/test-app.js';
import { makeZip } from '../../symbols/support/make-zip.js';

const NATIVE = 'test/fixtures/symbols/native/built';

interface Outcome {
  release: string | null;
  commit: string | null;
  usable: number;
  failed: number;
  skipped: number;
  found?: number;
  files: { path: string; kind: string; match_key: string; status: string; reason: string | null }[];
}

/** What a build may do to a map of 3 MB after it was read. */
const CHANGES: readonly ((path: string) => Promise<void>)[] = [
  (path) => truncate(path, 1_000_000),
  (path) => appendFile(path, ' '.repeat(1_000_000)),
  async (path) => writeFile(path, (await readFile(path, 'utf8')).replaceAll('y', 'z')),
];

const pipeline = worldPerTestSuite<{ folder: string }>('quarterdeck symbols in a pipeline', { worker: true });
folderPerTest(pipeline);

const built = async (name: string) => gunzipSync(await readFile(`${NATIVE}/${name}.gz`));

/** A folder with a file of each kind, under names that reveal nothing, and one that is no symbol file. */
async function mixedBuild(folder: string): Promise<void> {
  const mapping = 'test/fixtures/symbols/java/built/mapping.txt.gz';
  await mkdir(join(folder, 'App.dSYM/Contents/Resources/DWARF'), { recursive: true });
  await mkdir(join(folder, 'stripped'));
  const files: [string, Uint8Array | string][] = [
    ['App.dSYM/Contents/Resources/DWARF/App', await built('dwarf5.dwarf')],
    ['one', await built('dart-arm64.symbols')],
    ['two', gunzipSync(await readFile(mapping))],
    ['three.json', SMALL_MAP],
    ['libgame.so', await built('arm64.so')],
    ['engine.dwo', await built('engine.dwo')],
    ['package.json', '{"name":"shop","version":"3.0.0"}'],
    ['notes.txt', 'a -> b: what else'],
    ['empty', ''],
  ];
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
}

const json = (text: string) => JSON.parse(text) as Outcome;

const settingsOf = (test: TestApp, world: World): CommandOptions => ({
  env: { QUARTERDECK_URL: test.baseUrl, QUARTERDECK_TOKEN: world.owner.token },
});

pipeline(
  'kinds are detected by content; files that the server already has are not sent again, and can be listed and deleted',
  async (context) => {
    const { test, world, folder } = context;
    await mixedBuild(folder);
    const settings = settingsOf(test, world);
    const args = ['upload', '--release', '2.0', '--json', folder];
    const dry = await symbolsCommand({}, 'upload', '--dry-run', folder);
    assert.is(dry.code, 0, dry.out);
    assert.is(dry.results.trim().split('\n').length, 5, dry.results);
    const { skipped, found } = json((await symbolsCommand({}, 'upload', '--dry-run', '--json', folder)).results);
    assert.equal([skipped, found], [0, 5]);
    const first = await symbolsCommand(settings, ...args);
    assert.is(first.code, 0, first.out);
    assert.match(first.messages, /^Sending (?:1 \w+ and ){4}1 \w+, [\d.]+ \w+\.$/m);
    const { files, ...counts } = json(first.results);
    assert.equal([counts.usable, counts.failed, counts.skipped, counts.release], [5, 0, 0, '2.0']);
    assert.equal(files.map(({ kind }) => kind).sort(), [
      'android_mapping',
      'android_ndk',
      'flutter_symbols',
      'ios_dsym',
      'js_sourcemap',
    ]);
    const again = await symbolsCommand(settings, ...args);
    assert.is(again.code, 0, again.out);
    assert.is(json(again.results).skipped, 5, again.out);
    assert.not.match(again.messages, /Sending/);
    assert.match(again.messages, /^0 usable, 0 failed, 5 skipped \(already on the server\)\.$/m);
    const other = await symbolsCommand(settings, 'upload', '--release', '2.1', '--json', join(folder, 'two'));
    assert.is(json(other.results).usable, 1, 'another release is stored separately');

    const listed = await symbolsCommand(settings, 'list', '--release', '2.0');
    assert.is(listed.code, 0, listed.out);
    const idsIn = (text: string) => text.match(/^sym_\w+/gm) ?? [];
    assert.is(listed.results.trim().split('\n').length, 5);
    const one = await symbolsCommand(settings, 'list', '--release', '', '--kind', 'ios_dsym', '--json');
    const { artifacts } = JSON.parse(one.results) as { artifacts: { kind: string; sha256: string }[] };
    assert.equal(
      artifacts.map(({ kind }) => kind),
      ['ios_dsym'],
    );
    const gone = await symbolsCommand({ ...settings, stdin: idsIn(listed.results).join('\n') }, 'delete', '-');
    assert.is(gone.code, 0, gone.out);
    const left = await symbolsCommand(settings, 'list', '--release', '');
    assert.is(idsIn(left.results).length, 1, left.out);
    assert.is((await symbolsCommand(settings, 'delete', ...idsIn(left.results))).code, 0);
    assert.is((await symbolsCommand(settings, 'list', '--release', '')).results, '');
    assert.is((await symbolsCommand(settings, 'delete', 'sym_1')).code, 2);
  },
);

pipeline('archives are searched, and a full copy is preferred to a stripped one', async ({ test, world, folder }) => {
  const dwarf = await built('gcc-usual.so');
  await writeFile(
    join(folder, 'native.zip'),
    makeZip([
      { name: 'arm64/libgame.so', data: dwarf },
      { name: 'web/app.js.map', data: Buffer.from(SMALL_MAP) },
      { name: 'readme.txt', data: Buffer.from('nothing') },
    ]),
  );
  // The section table identifies the debug information; the build id stays.
  const stripped = Buffer.from(dwarf.toString('latin1').replaceAll('.debug_', '.gnuwas_'.slice(0, 7)), 'latin1');
  await writeFile(join(folder, 'libgame.so'), stripped);
  const ended = await symbolsCommand(settingsOf(test, world), 'upload', '--json', folder);
  assert.is(ended.code, 0, ended.out);
  const shown = json(ended.results).files.map(({ path, kind }) => [path.slice(folder.length + 1), kind]);
  assert.equal(shown, [
    ['native.zip:/arm64/libgame.so', 'android_ndk'],
    ['native.zip:/web/app.js.map', 'js_sourcemap'],
  ]);
  assert.match(ended.messages, /libgame\.so: left out, stripped; a copy with debug information was found/);
  const broken = join(folder, 'broken.zip');
  await writeFile(broken, 'PK\u0003\u0004 and nothing more');
  const refused = await symbolsCommand(settingsOf(test, world), 'upload', broken);
  assert.is(refused.code, 2);
  assert.match(refused.messages, /broken\.zip is not a readable archive/);
});

pipeline('release and commit come from the build service, and can be overridden', async ({ folder }) => {
  await writeFile(join(folder, 'app.js.map'), SMALL_MAP);
  const commit = 'c0ffee0123456789c0ffee0123456789c0ffee01';
  const services: [string, Record<string, string>][] = [
    ['GitHub', { GITHUB_ACTIONS: 'true', GITHUB_SHA: commit, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' }],
    ['GitLab', { GITLAB_CI: 'true', CI_COMMIT_SHA: commit, CI_COMMIT_TAG: 'v1' }],
    ['CircleCI', { CIRCLECI: 'true', CIRCLE_SHA1: commit, CIRCLE_TAG: 'v1' }],
    ['Bitbucket', { BITBUCKET_BUILD_NUMBER: '7', BITBUCKET_COMMIT: commit, BITBUCKET_TAG: 'v1' }],
    ['Azure', { TF_BUILD: 'True', BUILD_SOURCEVERSION: commit, BUILD_SOURCEBRANCH: 'refs/tags/v1' }],
    ['Buildkite', { BUILDKITE: 'true', BUILDKITE_COMMIT: commit, BUILDKITE_TAG: 'v1' }],
    ['Jenkins', { JENKINS_URL: 'http://ci/', GIT_COMMIT: commit, TAG_NAME: 'v1' }],
  ];
  const dry = ['upload', '--dry-run', '--json', folder];
  await Promise.all(
    services.map(async ([name, env]) => {
      const { release, commit: found } = json((await symbolsCommand({ env }, ...dry)).results);
      assert.equal([release, found], ['v1', commit], name);
    }),
  );
  const env = { ...services[0]?.[1], QUARTERDECK_RELEASE: '2' };
  assert.is(json((await symbolsCommand({ env }, ...dry)).results).release, '2');
  assert.is(json((await symbolsCommand({ env }, ...dry, '--release', '3')).results).release, '3');
  assert.is(json((await symbolsCommand({ env }, ...dry, '--release', '')).results).release, null);
});

pipeline('a config file supplies what the command line omits', async ({ folder }) => {
  await mkdir(join(folder, 'dist/assets'), { recursive: true });
  for (const name of ['dist/assets/app.js.map', 'dist/assets/vendor.js.map', 'dist/sw.js.map'])
    await writeFile(join(folder, name), SMALL_MAP);
  const config = { release: '9', paths: ['dist'], ignore: ['vendor.*'], urlPrefix: '~/static/', stripPrefix: 'assets' };
  await writeFile(join(folder, 'quarterdeck.json'), JSON.stringify(config));
  const found = await symbolsCommand({ cwd: join(folder, 'dist/assets') }, 'upload', '--dry-run', '--json');
  assert.is(found.code, 0, found.out);
  const { release, files } = json(found.results);
  assert.is(release, '9');
  assert.equal(files.map((file) => file.match_key).sort(), ['~/static/app.js', '~/static/sw.js']);
  const named = ['upload', '--dry-run', '--json', '--ignore', '**/app.js.map', '--strip-prefix', '', '-'];
  const piped = await symbolsCommand({ cwd: folder, stdin: 'dist\n\n' }, ...named);
  assert.equal(
    json(piped.results).files.map((file) => file.match_key),
    ['~/static/sw.js'],
  );
  const keysOf = async (...args: string[]) => {
    const { results } = await symbolsCommand({ cwd: folder }, 'upload', '--dry-run', '--json', ...args);
    return json(results).files.map((file) => file.match_key);
  };
  assert.equal(await keysOf('--strip-prefix', './assets/', '--ignore', '!vendor.*', '--ignore', '/[s-t]w.js.map'), [
    '~/static/app.js',
    '~/static/vendor.js',
  ]);
  for (const prefix of ['asse', 'assets/app'])
    assert.ok((await keysOf('--strip-prefix', prefix)).includes('~/static/assets/app.js'), 'whole names only');
  await writeFile(join(folder, 'quarterdeck.json'), '{"token":"secret"}');
  const refused = await symbolsCommand({ cwd: folder }, 'upload', '--dry-run', 'dist');
  assert.is(refused.code, 2);
  assert.match(refused.messages, /do not store a token in this file/);
});

pipeline('a file that cannot be read fails at once, and the others are sent', async ({ test, world, folder }) => {
  const map = join(folder, 'a.js.map');
  await writeFile(map, SMALL_MAP);
  // The first byte of this file cannot be read, not even by root.
  const unreadable = process.platform === 'linux' ? '/proc/self/mem' : '/dev/null/none';
  const args = ['upload', '--kind', 'js_sourcemap', '--json', map, unreadable];
  const ended = await symbolsCommand(settingsOf(test, world), ...args);
  const { usable, failed, files } = json(ended.results);
  assert.is(ended.code, 1, ended.out);
  assert.equal([usable, failed], [1, 1]);
  assert.match(files.find(({ status }) => status === 'failed')?.reason ?? '', /^could not be read: /);
  assert.not.match(ended.messages, /trying again/);
});

pipeline('check describes what a file contains, even without a server', async ({ folder }) => {
  await mixedBuild(folder);
  const paths = ['one', 'two', 'three.json', 'engine.dwo', 'notes.txt', 'libgame.so'].map((name) => join(folder, name));
  const { code, results } = await symbolsCommand({}, 'check', '--offline', ...paths);
  assert.is(code, 0);
  const told = results
    .trim()
    .split('\n')
    .map((line) => line.slice(folder.length + 1));
  assert.match(told.join('\n'), /^one \([0-9a-f]{40}\): Flutter symbols, arm64$/m);
  assert.match(told.join('\n'), /^two \(no id\): R8 or ProGuard mapping$/m);
  assert.match(told.join('\n'), /^three\.json \(three\.json\): source map$/m);
  assert.match(told.join('\n'), /^engine\.dwo \(no id\): \.dwo file, x86_64: package it/m);
  assert.match(told.join('\n'), /^notes\.txt \(no id\): no symbols$/m);
  assert.match(told.join('\n'), /^libgame\.so \([0-9a-f]{40}\): native image, arm64, with debug information$/m);
});

pipeline('every subcommand has its own help, and reports unknown options', async () => {
  for (const name of ['upload', 'check', 'list', 'delete']) {
    const { code, results, messages } = await symbolsCommand({}, name, '--help');
    assert.equal([code, messages], [0, '']);
    assert.match(results, new RegExp(`^quarterdeck symbols ${name} .*--json.*Exit codes: 0`, 's'));
  }
  const wrong = await symbolsCommand({}, 'list', '--dry-run');
  assert.is(wrong.code, 2);
  assert.match(wrong.messages, /--dry-run/);
  assert.is((await symbolsCommand({}, 'nothing')).code, 2);
});

pipeline('a file that changes during its upload is not stored', async ({ test, world, folder }) => {
  const path = join(folder, 'app.js.map');
  const map = SMALL_MAP.replace('}', `,"x":"${'y'.repeat(3_000_000)}"}`);
  const sha256 = createHash('sha256').update(map).digest('hex');
  const file = { path, name: 'app.js.map', sizeBytes: map.length, sha256, fields: { kind: 'js_sourcemap' } };
  const settings = { url: test.baseUrl, token: world.owner.token, patienceMs: 120_000 };
  for (const change of CHANGES) {
    await writeFile(path, map);
    await change(path);
    const failure = await uploadFile(settings, file, () => undefined).then(
      () => 'it was sent',
      (error: Error) => error.message,
    );
    assert.is(failure, 'it changed during the upload; try again once it is completely written');
  }
  assert.is((await symbolsCommand(settingsOf(test, world), 'list')).results, '');
});

pipeline.run();
