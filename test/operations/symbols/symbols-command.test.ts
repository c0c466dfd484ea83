import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requireNode } from '../../../src/cli/node-version.js';
import { freePort } from '../../harness/server-process.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { makeZip } from '../../symbols/support/make-zip.js';

const command = suite<{ test: TestApp; world: World; folder: string }>('quarterdeck symbols');

command.before(async (context) => {
  context.test = await openTestApp({ worker: true });
  context.world = await buildWorld(context.test);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-build-'));
});
command.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (env: Record<string, string>, ...args: string[]) => symbolsCommand({ env }, ...args);

const settingsOf = (test: TestApp, world: World) => ({
  QUARTERDECK_URL: test.baseUrl,
  QUARTERDECK_TOKEN: world.owner.token,
});

command('says which Node it needs when run by an older one', () => {
  for (const version of ['20.20.2', '22.1.0'])
    assert.throws(() => requireNode(version), new RegExp(`needs Node 22\\.2 or newer\\. You have ${version}`));
  for (const version of ['22.2.0', '24.0.0']) assert.not.throws(() => requireNode(version));
});

command(
  'uploads every map in a folder under its script’s name, and check finds them',
  async ({ test, world, folder }) => {
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
    assert.match(uploaded.messages, /2 usable, 0 failed, 0 skipped/);
    assert.is((await run(settings, 'check', '--release', '1.0', join(folder, 'web'))).code, 0);
    const built = (release: string) => ({ ...settings, QUARTERDECK_RELEASE: release });
    const listed = (release: string) => run(built(release), 'list', '--limit', '1');
    assert.is((await run(built('1.0'), 'check', join(folder, 'web'))).code, 0);
    assert.is((await run(built('2.0'), 'check', join(folder, 'web'))).code, 1);
    assert.match((await listed('1.0')).out, /^sym_.*\nrelease 1\.0, from QUARTERDECK_RELEASE\n1 shown/s);
    assert.is((await listed('2.0')).results, '');
    const { body } = await world.owner.client.get('/api/v1/catch/symbols?release=1.0');
    const keys = (body as { artifacts: { match_key: string }[] }).artifacts.map((artifact) => artifact.match_key);
    assert.equal(keys.sort(), ['app.js', 'vendor.js']);
  },
);

command('maps of scripts with the same name are distinguished by their paths', async ({ test, folder }) => {
  const world = await buildWorld(test);
  const settings = settingsOf(test, world);
  const dist = join(folder, 'dist');
  for (const path of ['a/index.js', 'b/index.js', 'b/only.js']) {
    await mkdir(join(dist, path, '..'), { recursive: true });
    await writeFile(join(dist, path), 'x');
    await writeFile(join(dist, `${path}.map`), SMALL_MAP);
  }
  const keysOf = async (release: string): Promise<string[]> => {
    const { body } = await world.owner.client.get(`/api/v1/catch/symbols?release=${release}`);
    return (body as { artifacts: { match_key: string }[] }).artifacts.map(({ match_key }) => match_key).sort();
  };
  const upload = (release: string, ...paths: string[]) =>
    run(settings, 'upload', '--kind', 'js_sourcemap', '--release', release, '--wait', '0', ...paths);
  assert.is((await upload('1', dist)).code, 0);
  assert.equal(await keysOf('1'), ['a/index.js', 'b/index.js', 'only.js']);
  await upload('2', join(dist, 'a/index.js.map'), join(dist, 'b'));
  assert.equal(await keysOf('2'), ['a/index.js', 'b/index.js', 'only.js']);
  const checked = await run(settings, 'check', '--release', '1', dist);
  assert.is(checked.code, 0, checked.out);
  await upload('3', join(dist, 'a'));
  assert.equal(await keysOf('3'), ['index.js']);
  await rm(dist, { recursive: true });
});

command('maps in archives are named after their place there, the same in each run', async ({ folder }) => {
  const build = join(folder, 'packed');
  const map = Buffer.from(SMALL_MAP);
  const inner = makeZip([{ name: 'index.js.map', data: map }]);
  await mkdir(join(build, 'web'), { recursive: true });
  await writeFile(join(build, 'index.js.map'), map);
  await writeFile(join(build, 'web', 'index.js.map.gz'), gzipSync(map));
  const data = [
    { name: 'static/index.js.map', data: map },
    { name: 'admin.zip', data: inner },
  ];
  await writeFile(join(build, 'shop.zip'), makeZip(data));
  const keysOf = async (...options: string[]): Promise<string[]> => {
    const { results, out, code } = await run({}, 'upload', '--dry-run', '--json', ...options, build);
    assert.is(code, 0, out);
    return (JSON.parse(results) as { files: { match_key: string }[] }).files.map(({ match_key }) => match_key).sort();
  };
  const keys = ['index.js', 'shop/admin/index.js', 'shop/static/index.js', 'web/index.js'];
  assert.equal(await keysOf(), keys);
  const prefixed = ['~/js/index.js', '~/js/index.js', '~/js/static/index.js', '~/js/web/index.js'];
  assert.equal(await keysOf('--url-prefix', '~/js'), prefixed);
});

command('an empty release or commit means none', async ({ folder }) => {
  await writeFile(join(folder, 'app.js.map'), SMALL_MAP);
  const { results } = await run({}, 'upload', '--dry-run', '--json', '--release', '', '--commit', '', folder);
  const { release, commit } = JSON.parse(results) as Record<string, unknown>;
  assert.equal([release, commit], [null, null]);
});

command('check finds maps under the prefix they were uploaded with', async ({ test, folder }) => {
  const world = await buildWorld(test);
  const settings = settingsOf(test, world);
  const dist = join(folder, 'prefixed');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await writeFile(join(dist, 'assets/app.js'), 'x');
  await writeFile(join(dist, 'assets/app.js.map'), SMALL_MAP);
  const naming = ['--url-prefix', '~/static', '--strip-prefix', 'assets'];
  const sent = await run(settings, 'upload', ...naming, dist);
  assert.is(sent.code, 0, sent.out);
  const found = await run(settings, 'check', ...naming, dist);
  assert.is(found.code, 0, found.out);
  const other = await run(settings, 'check', '--url-prefix', '~/elsewhere', dist);
  assert.is(other.code, 1, other.out);
});

command('sends a dSYM folder as a zip that the server can read', async ({ test, world, folder }) => {
  const dwarf = join(folder, 'App.dSYM', 'Contents', 'Resources', 'DWARF');
  await mkdir(dwarf, { recursive: true });
  await writeFile(join(dwarf, 'App'), gunzipSync(await readFile('test/fixtures/symbols/native/built/engine.dwarf.gz')));
  const settings = settingsOf(test, world);
  const uploaded = await run(settings, 'upload', '--kind', 'ios_dsym', join(folder, 'App.dSYM'));
  assert.is(uploaded.code, 0, uploaded.out);
  assert.match(uploaded.out, /\([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12},/, 'an id for each architecture');
});

command('a stripped library is marked as having only names', async ({ test, folder }) => {
  const world = await buildWorld(test);
  const settings = settingsOf(test, world);
  const libraries = join(folder, 'ndk');
  await mkdir(libraries);
  const library = join(libraries, 'libgame.so');
  await writeFile(library, gunzipSync(await readFile('test/fixtures/symbols/native/built/stripped.so.gz')));
  const uploaded = await run(settings, 'upload', '--kind', 'android_ndk', libraries);
  assert.is(uploaded.code, 0, uploaded.out);
  assert.match(uploaded.out, /usable +.*libgame\.so .*: symbol names only\. The debug information was stripped/);
  const checked = await run(settings, 'check', libraries);
  assert.is(checked.code, 1);
  assert.match(checked.out, /names +.*libgame\.so .*symbol names only\n1 of 1 have symbol names only/);
  await rm(libraries, { recursive: true });
});

command('says which files the server could not read', async ({ test, world, folder }) => {
  const settings = settingsOf(test, world);
  const map = join(folder, 'wrong.js.map');
  await writeFile(map, SMALL_MAP);
  const { code, out } = await run(settings, 'upload', '--kind', 'ios_dsym', map);
  assert.is(code, 1, out);
  assert.match(out, /^failed +.*wrong\.js\.map .*: the server cannot use it as ios_dsym: .+$/m);
  assert.match(out, /^0 usable, 1 failed/m);
});

command('says what was wrong, and sets its exit code', async ({ test, world, folder }) => {
  const settings = settingsOf(test, world);
  const gone = { ...settings, QUARTERDECK_URL: `http://127.0.0.1:${await freePort()}` };
  const cases: [string, Record<string, string>, string[], number, RegExp][] = [
    ['no settings', {}, ['upload', '--kind', 'js_sourcemap', folder], 2, /Set QUARTERDECK_URL/],
    ['no such kind', settings, ['upload', '--kind', 'nothing', folder], 2, /--kind must be one of/],
    ['no such kind to list', settings, ['list', '--kind', 'nothing'], 2, /--kind must be one of/],
    ['no commit', settings, ['upload', '--commit', 'HEAD', folder], 2, /--commit must be a commit hash .*; got HEAD\./],
    ['none to list', settings, ['list', '--limit', '0'], 2, /--limit must be a whole number from 1 /],
    ['an empty project', settings, ['list', '--project', ''], 2, /--project needs a value/],
    ['an empty name', settings, ['upload', '--match-key', '', folder], 2, /--match-key needs a value/],
    ['an empty release', settings, ['list', '--release', ''], 0, /shown\./],
    ['a word too many', settings, ['list', '1.0'], 2, /symbols list takes only options; remove 1\.0/],
    ['nothing found', settings, ['upload', '--kind', 'android_ndk', folder], 1, /Looked by content for: android_ndk/],
    ['no environment', settings, ['check', '--environment', 'prod', folder], 2, /live or test/],
    ['no address', { ...settings, QUARTERDECK_URL: 'localhost:1' }, ['check', folder], 2, /http:\/\/ or https/],
    [
      'a password in the address',
      { ...settings, QUARTERDECK_URL: settings.QUARTERDECK_URL.replace('://', '://ada:secret@') },
      ['list'],
      2,
      /^(?!.*secret).*Remove them/,
    ],
    [
      'a token in two lines',
      { ...settings, QUARTERDECK_TOKEN: `${settings.QUARTERDECK_TOKEN}\nx` },
      ['list'],
      2,
      /QUARTERDECK_TOKEN contains a character/,
    ],
    [
      'a token with a line break behind it, and slashes',
      { QUARTERDECK_URL: `${settings.QUARTERDECK_URL}// `, QUARTERDECK_TOKEN: `\n${settings.QUARTERDECK_TOKEN}\r\n` },
      ['list'],
      0,
      /shown\./,
    ],
    ['no such command', settings, ['uplaod', folder], 2, /^Unknown command "symbols uplaod"\./],
    ['no such option', settings, ['check', '--relase', '1', folder], 2, /^Unknown option '--relase'/],
    ['no server', gone, ['check', folder], 2, /127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/],
  ];
  for (const [what, environment, args, code, says] of cases) {
    const ended = await run(environment, ...args);
    assert.is(ended.code, code, `${what}: ${ended.out}`);
    assert.match(ended.out, says, what);
  }
});

command('recognizes proxies and servers that are not Quarterdeck', async ({ folder }) => {
  const answers: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
    page: [200, { 'content-type': 'text/html' }, '<html>Sign in</html>'],
    small: [413, { 'content-type': 'text/html' }, '<h1>Request Entity Too Large</h1>'],
    wall: [403, { 'content-type': 'text/html' }, '<h1>Forbidden</h1>'],
    moved: [301, { location: 'https://other.example.com/graphql' }, ''],
  };
  const server = createServer((request, response) => {
    const [status, headers, body] = answers[request.url?.split('/')[1] ?? ''] ?? [500, {}, ''];
    request.resume();
    response.writeHead(status, headers).end(body);
  });
  const certificates = new URL('../../../../test/fixtures/webhooks/', import.meta.url);
  const cert = await readFile(new URL('receiver-cert.pem', certificates));
  const key = await readFile(new URL('receiver-key.pem', certificates));
  const secure = createSecureServer({ cert, key });
  const { host: origin } = new URL(await openLocally(server));
  const { port } = new URL(await openLocally(secure));
  for (const [address, says] of [
    [`http://${origin}/page`, /Error: the response is not from Quarterdeck but .* \(200 no_quarterdeck\)/],
    [`http://${origin}/wall`, /Error: the response is not from Quarterdeck but .* \(403 no_quarterdeck\)/],
    [`http://${origin}/small`, /Error: a proxy .* refuses bodies of this size; raise its limit .* \(413 proxy_limit\)/],
    [`https://127.0.0.1:${port}`, /does not trust its certificate; set NODE_EXTRA_CA_CERTS/],
    [
      `http://${origin}/moved`,
      /Error: the URL redirects to https:\/\/other\.example\.com\/graphql; set QUARTERDECK_URL/,
    ],
    [`https://${origin}`, /cannot be reached: it does not speak TLS; does its URL begin with http:\/\/\?$/m],
  ] as const) {
    const ended = await run({ QUARTERDECK_URL: address, QUARTERDECK_TOKEN: 'x' }, 'upload', folder);
    assert.is(ended.code, 2, ended.out);
    assert.match(ended.messages, says);
  }
  server.close();
  secure.close();
});

command('stops at the first file if the server would reject all of them', async ({ test, world, folder }) => {
  const settings = settingsOf(test, world);
  const refused = await run({ ...settings, QUARTERDECK_TOKEN: 'a.b.c' }, 'upload', '--kind', 'js_sourcemap', folder);
  assert.is(refused.code, 2, refused.out);
  assert.match(refused.messages, /Error: the token is invalid, expired or revoked \(401 invalid_token\)/);
  assert.is(refused.results, '');
  for (const [token, says] of [
    ['sk_live_abc', /^QUARTERDECK_TOKEN is a project key; set it to an API token/m],
    ['sk_deploy_abc', /^QUARTERDECK_TOKEN is a deploy token; set it to an API token/m],
  ] as const) {
    const { code, messages } = await run({ ...settings, QUARTERDECK_TOKEN: token }, 'list');
    assert.is(code, 2);
    assert.match(messages, says);
  }
});

command.run();
