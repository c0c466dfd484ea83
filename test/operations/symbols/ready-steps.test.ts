import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { layBundles } from '../../support/symbols/failing-bundles.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { type Ended, symbolsCommand } from '../../support/symbols/symbols-command.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const run = promisify(execFile);
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');

interface Context {
  test: TestApp;
  first: World;
  world: World;
  /** Contains the packed command, and serves it as a company's registry would. */
  packed: string;
  tarball: string;
  shop: Server;
  shopUrl: string;
  /** The chapter of the docs page. */
  steps: string;
  folder: string;
  env: Record<string, string>;
}

const ready = suite<Context>('the ready-made steps of docs/symbols.md, as they stand there');

ready.before(async (context) => {
  context.test = await openTestApp({ worker: true });
  context.first = await buildWorld(context.test);
  context.packed = await mkdtemp(join(tmpdir(), 'quarterdeck-steps-'));
  const { stdout } = await run(process.execPath, ['.ci/pack-command.mjs', context.packed]);
  context.tarball = stdout.trim().split('\n').at(-1) ?? '';
  const bytes = await readFile(context.tarball);
  context.shop = createServer((_, response) => response.end(bytes));
  context.shopUrl = await openLocally(context.shop);
  const page = await readFile('docs/symbols.md', 'utf8');
  context.steps = /### Ready-made steps\n([\s\S]*?)\n### /.exec(page)?.[1] ?? '';
});
ready.after(async ({ test, packed, shop }) => {
  shop.closeAllConnections();
  shop.close();
  await test.close();
  await rm(packed, { recursive: true, force: true });
});
ready.before.each(async (context) => {
  const { test, packed, shopUrl } = context;
  context.world = await buildProject(context.first);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-step-'));
  await writeFile(join(context.folder, 'quarterdeck.json'), JSON.stringify({ project: context.world.projectId }));
  context.env = {
    HOME: packed,
    QUARTERDECK_URL: test.baseUrl,
    QUARTERDECK_TOKEN: context.world.owner.token,
    QUARTERDECK_CLI: `${shopUrl}/quarterdeck-cli.tgz`,
    npm_config_cache: join(packed, 'cache'),
    // The command needs nothing from a registry.
    npm_config_registry: 'http://127.0.0.1:1/',
  };
});
ready.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

/** The code block after the given words or, with an expression, what its group matches there. */
function step({ steps }: Context, words: string, part = /([\s\S]*)/): string {
  const from = steps.indexOf(words);
  const block = /```[a-z]+\n([\s\S]*?)```/.exec(from < 0 ? '' : steps.slice(from))?.[1] ?? '';
  const [, found] = part.exec(block) ?? [];
  assert.ok(found, `the page has the step "${words}"`);
  return found;
}

const shell = ({ folder, env }: Context, script: string, more: Record<string, string> = {}): Promise<Ended> =>
  symbolsCommand({ program: ['bash', '-e', '-c', script], cwd: folder, env: { ...env, ...more } });

interface Stored {
  kind: string;
  release: string;
  match_key: string;
  status: string;
}

async function stored({ world }: Context): Promise<Stored[]> {
  const { body } = await world.owner.client.get('/api/v1/catch/symbols', { 'x-project-id': world.projectId });
  return (body as { artifacts: Stored[] }).artifacts;
}

/** Checks that a bundler's output contains ids. */
async function hasIds(folder: string): Promise<void> {
  const scripts = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 0);
  for (const name of scripts) assert.match(await readFile(join(folder, name), 'utf8'), /^\/\/# debugId=/m, name);
}

ready('GitHub Actions and GitLab both deploy scripts with ids and upload the maps', async (context) => {
  const script = step(context, 'GitHub Actions', /^- run: (.*?) #/m);
  assert.is(step(context, '```yaml\nsymbols:', /^ {2}script: (.*)$/m), script);
  const [bundle] = await layBundles(context.folder);
  assert.is(bundle?.name, 'esbuild');
  await mkdir(join(context.folder, 'dist'));
  await rename(join(context.folder, 'esbuild'), join(context.folder, 'dist/assets'));
  const ended = await shell(context, script);
  assert.is(ended.code, 0, ended.out);
  await hasIds(join(context.folder, 'dist'));
  assert.equal(
    (await stored(context)).map(({ kind, status }) => `${kind} ${status}`),
    Array(3).fill('js_sourcemap ready'),
  );
});

const native = async (name: string) => gunzipSync(await readFile(`test/fixtures/symbols/native/built/${name}.gz`));

ready('Xcode uploads the dSYMs of a release build, and never blocks a build', async (context) => {
  const dwarf = join(context.folder, 'Products/App.app.dSYM/Contents/Resources/DWARF');
  await mkdir(dwarf, { recursive: true });
  await writeFile(join(dwarf, 'App'), await native('engine.dwarf'));
  const script = step(context, 'Xcode');
  const settings = { MARKETING_VERSION: '4.2', DWARF_DSYM_FOLDER_PATH: join(context.folder, 'Products') };
  const debug = await shell(context, script, { ...settings, CONFIGURATION: 'Debug' });
  assert.equal([debug.code, await stored(context)], [0, []]);
  const release = { ...settings, CONFIGURATION: 'Release' };
  const offline = await shell(context, script, {
    ...release,
    QUARTERDECK_URL: 'http://127.0.0.1:1',
    QUARTERDECK_TOKEN: '',
  });
  assert.is(offline.code, 0);
  assert.match(offline.results, /^warning: the symbols were not uploaded$/m);
  assert.is((await shell(context, script, release)).code, 0);
  assert.equal(
    (await stored(context)).map(({ kind, release: of, status }) => [kind, of, status]),
    [['ios_dsym', '4.2', 'ready']],
  );
});

ready('Gradle passes the right arguments to npx, with and without native code in the app', async (context) => {
  const task = step(context, 'Gradle');
  const texts = (expression: RegExp) => [
    ...(expression.exec(task)?.[1] ?? '').matchAll(/"([^"]*)"|(System\.getenv\("QUARTERDECK_CLI"\))|(versionName)/g),
  ];
  const folders = texts(/listOf\((.*?)\)/).map(([, path]) => join(context.folder, 'build', path ?? ''));
  const given = texts(/commandLine\((.*)\)\n/)
    .filter(([, text]) => text !== 'QUARTERDECK_CLI')
    .map(([, text, cli]) => text ?? (cli ? context.env.QUARTERDECK_CLI : '4.3'));
  assert.equal(given, ['npx', '--yes', context.env.QUARTERDECK_CLI, 'symbols', 'upload', '--release', '4.3']);
  assert.is(folders.length, 2);
  const [mapping = '', libraries = ''] = folders;
  const gradle = (...paths: string[]) =>
    symbolsCommand({ program: given as string[], cwd: context.folder, env: context.env }, ...paths);
  await mkdir(mapping, { recursive: true });
  await writeFile(
    join(mapping, 'mapping.txt'),
    gunzipSync(await readFile('test/fixtures/symbols/java/built/mapping.txt.gz')),
  );
  const without = await gradle(mapping);
  assert.is(without.code, 0, without.out);
  await mkdir(join(libraries, 'out/lib/arm64-v8a'), { recursive: true });
  await writeFile(join(libraries, 'out/lib/arm64-v8a/libgame.so'), await native('arm64.so'));
  const both = await gradle(mapping, libraries);
  assert.is(both.code, 0, both.out);
  assert.equal((await stored(context)).map(({ kind, release, status }) => `${kind} ${release} ${status}`).sort(), [
    'android_mapping 4.3 ready',
    'android_ndk 4.3 ready',
  ]);
});

/** Turns the folder into a project with the command among its packages; npm installs it once. */
async function project({ packed, folder, tarball, env }: Context): Promise<void> {
  const installed = join(packed, 'project');
  if (!existsSync(installed)) {
    await mkdir(installed);
    await writeFile(join(installed, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--save-dev', tarball], {
      cwd: installed,
      env: { PATH: process.env.PATH, ...env },
    });
  }
  await cp(installed, folder, { recursive: true, verbatimSymlinks: true });
}

ready('the packed command installs from its tarball alone, and runs', async (context) => {
  const { folder } = context;
  await project(context);
  const installed = await readdir(join(folder, 'node_modules'));
  assert.equal(
    installed.filter((name) => !name.startsWith('.')),
    ['quarterdeck-cli'],
    'and nothing with it',
  );
  const program = [process.execPath, join(folder, 'node_modules/.bin/quarterdeck')];
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  assert.is((await symbolsCommand({ program }, '--version')).results, `${version}\n`);
  await writeFile(join(folder, 'app.js.map'), SMALL_MAP);
  const dry = await symbolsCommand({ program }, 'symbols', 'upload', '--dry-run', folder);
  assert.is(dry.code, 0, dry.out);
  assert.match(dry.results, /^found +.*app\.js\.map {2}js_sourcemap .*\(app\.js\)$/m);
});

ready('Vite builds with the plugin', async (context) => {
  const { folder, env } = context;
  await project(context);
  await writeFile(
    join(folder, 'vite.config.mjs'),
    `${step(context, 'Vite (and Rollup)')}
export default { plugins: [symbols('dist')], build: { sourcemap: 'hidden' }, logLevel: 'error' };`,
  );
  await writeFile(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>');
  await writeFile(join(folder, 'main.js'), 'globalThis.shop = (name) => { throw new Error(name); };');
  const built = await symbolsCommand({ program: [process.execPath, VITE, 'build'], cwd: folder, env });
  assert.is(built.code, 0, built.out);
  await hasIds(join(folder, 'dist'));
  assert.equal(
    (await stored(context)).map(({ kind, status }) => [kind, status]),
    [['js_sourcemap', 'ready']],
  );
});

/** What webpack passes to the plugin, as far as the plugin uses it; webpack itself is not among our packages. */
ready('webpack runs its plugin when a build is done', async (context) => {
  const { folder, env } = context;
  await project(context);
  await layBundles(folder);
  const program = `${step(context, 'webpack, also')}
    const compilation = { errors: [], outputOptions: { path: ${JSON.stringify(join(folder, 'webpack'))} } };
    new QuarterdeckSymbols().apply({ hooks: { done: { tap: (_, done) => done({ compilation }) } } });`;
  await writeFile(join(folder, 'build.cjs'), program);
  const built = await symbolsCommand({ program: [process.execPath, 'build.cjs'], cwd: folder, env });
  assert.is(built.code, 0, built.out);
  await hasIds(join(folder, 'webpack'));
  assert.equal(
    (await stored(context)).map(({ kind, status }) => `${kind} ${status}`),
    Array(2).fill('js_sourcemap ready'),
  );
});

ready.run();
