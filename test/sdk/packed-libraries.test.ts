import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp } from '../support/test-app.js';

const x = suite<{ folder: string }>('the packed libraries');

x.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-packed-'));
});
x.after(({ folder }) => rm(folder, { recursive: true, force: true }));

const runIn = (folder: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs the published vectors through the library's public API: definitions in, values out. Prints how many pass. */
const PROGRAM = `
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createQuarterdeck } from '@quarterdeck/node';

const [, , folder] = process.argv;
const vectors = (name) => JSON.parse(readFileSync(folder + '/' + name, 'utf8'));
const open = (flags, cohorts) => createQuarterdeck({
  url: 'http://127.0.0.1:9', key: 'none', fetch: false, captureErrors: false, flushOnExit: false, bootstrap: { flags, config: [], cohorts },
});
const contextOf = ({ distinct_id, app_version, os_version, platform, locale, cohorts, properties, context, now }) => ({
  distinctId: distinct_id, appVersion: app_version, osVersion: os_version, platform, locale,
  cohorts: cohorts ?? [], properties: properties ?? {}, context: context ?? {}, now: Date.parse(now ?? '2026-11-22T12:00:00Z'),
});
const flag = (key, variants, rules, rest = {}) => ({
  key, version: 1, variants: variants.map((name) => ({ key: name, value: name })), default_variant: 'none', rules, ...rest,
});
let held = 0;
const check = (actual, expected, vector) => {
  assert.deepEqual(actual, expected, JSON.stringify(vector));
  held += 1;
};
for (const name of ['conditions.json', 'plain-conditions.json'])
  for (const vector of vectors(name)) {
    const library = open([flag('f', ['none', 'on'], [{ conditions: [vector.condition], percentage: 100, variant: 'on' }])]);
    check(library.flag('f', '', contextOf(vector.subject)) === 'on', vector.holds, vector);
  }
for (const vector of vectors('rules.json')) {
  const names = ['none'];
  const rules = vector.rules.map(({ split, bucketBy, ...rule }, at) => {
    const shares = split?.map((share, of) => ({ ...share, variant: at + '/' + of }));
    names.push(at + '/0', ...(shares ?? []).map(({ variant }) => variant));
    return { ...rule, bucket_by: bucketBy, variant: at + '/0', split: shares };
  });
  const { decided } = vector;
  const library = open([flag(vector.salt, names, rules)]);
  check(library.flag(vector.salt, '', contextOf(vector.subject)), decided ? decided.rule + '/' + decided.share : 'none', vector);
}
for (const vector of vectors('flags.json')) {
  const flags = vector.flags.map(({ defaultVariant, ...rest }) => ({ ...rest, default_variant: defaultVariant }));
  const library = open(flags);
  for (const [key, decided] of Object.entries(vector.decided)) {
    const { variant, reason } = library.flagDetails(key, contextOf(vector.subject));
    check({ variant, reason }, decided, vector);
  }
}
for (const { cohorts, subject, members } of vectors('cohorts.json')) {
  const written = cohorts.map(({ rules, ...cohort }) => ({
    ...cohort, rules: rules.map(({ bucketBy, ...rule }) => ({ ...rule, bucket_by: bucketBy })),
  }));
  const library = open(
    cohorts.map(({ name }) => flag(name, ['none', 'on'], [
      { conditions: [{ attribute: 'cohort', operator: 'in', values: [name] }], percentage: 100, variant: 'on' },
    ])),
    written,
  );
  check(cohorts.map(({ name }) => name).filter((name) => library.flag(name, '', contextOf(subject)) === 'on'), members, subject);
}
for (const { salt, id, bucket } of vectors('buckets.json').filter((vector) => vector.id !== '')) {
  const covered = (buckets) => {
    const library = open([flag('f', ['none', 'on'], [{ conditions: [], percentage: buckets / 1000, salt, variant: 'on' }])]);
    return library.flag('f', '', { distinctId: id }) === 'on';
  };
  check([covered(bucket), covered(bucket + 1)], [false, true], { salt, id, bucket });
}
console.log(held);
`;

/** What a page's own code does on import during server rendering. */
const ON_SERVER = `
Object.defineProperty(globalThis, 'navigator', { value: undefined });
globalThis.fetch = () => console.log('asked');
const { createQuarterdeck } = await import('@quarterdeck/browser');
const quarterdeck = createQuarterdeck({ url: 'http://127.0.0.1:9', key: 'sk_live_1', bootstrap: { flags: { on: true } } });
await quarterdeck.ready;
quarterdeck.track('rendered');
quarterdeck.captureError(new Error('while it was rendered'));
await Promise.all([quarterdeck.identify('user-1', { plan: 'pro' }), quarterdeck.setContext({ a: 1 })]);
console.log(quarterdeck.flag('on', false), quarterdeck.config('size', 3), await quarterdeck.showSurvey('nps'), await quarterdeck.flush());
`;

/** Uses all libraries with the types that `quarterdeck types` wrote; a line after `@ts-expect-error` must not compile. */
const APPLICATION = `
import { OpenFeature } from '@openfeature/server-sdk';
import { OpenFeature as OpenFeatureOfPages } from '@openfeature/web-sdk';
import { createQuarterdeck as onPage, type Quarterdeck as OnPage } from '@quarterdeck/browser';
import { createQuarterdeck, type Quarterdeck } from '@quarterdeck/node';
import { QuarterdeckProvider } from '@quarterdeck/openfeature-server';
import { QuarterdeckProvider as ProviderOfPages } from '@quarterdeck/openfeature-web';
import { QuarterdeckProvider as Values, Survey, useConfig, useFlag } from '@quarterdeck/react';

const library: Quarterdeck = createQuarterdeck({ url: '', key: '' });
const page: OnPage = onPage({ url: '', key: '' });
for (const client of [library, page]) {
  const on: boolean = client.flag('new-checkout', false);
  const theme: 'dark' | 'light' = client.flag('theme', 'dark');
  const most: number = client.config('checkout.max_items', 5);
  console.log(on, theme, most);
}
// @ts-expect-error
library.flag('new-chekout', true);
// @ts-expect-error
page.flag('new-chekout', true);
// @ts-expect-error
page.flag('theme', 'blue');
// @ts-expect-error
page.config('checkout.max_item', 5);
// @ts-expect-error
library.config('checkout.max_items', 'five');
export function Shop() {
  const theme: 'dark' | 'light' = useFlag('theme', 'dark');
  const most: number = useConfig('checkout.max_items', 5);
  // @ts-expect-error
  useFlag('thme', 'dark');
  return [theme, most, Survey({ survey: 'nps' }), Values({ source: page })].length;
}
// What an application has at hand: values that may be missing, interfaces, dates.
interface Order {
  total: number;
  coupon?: string;
}
declare const person: { id?: string; release?: string; order: Order };
const { id, release, order } = person;
createQuarterdeck({ url: '', key: '', release, file: release }).flag('new-checkout', false, { distinctId: id, properties: order, context: order });
onPage({ url: '', key: '', release, distinctId: id, context: order, surveys: { auto: undefined } });
library.track('ada', 'ordered', order);
library.setProperties('ada', { release, at: new Date() });
library.captureError(0, { distinctId: id, extra: order });
page.track('ordered', order);
void page.identify('ada', { release, at: new Date() });
void page.setContext(order);
page.captureError(0, { extra: order, level: undefined });
page.breadcrumb('order', 'ordered', order);
void page.showSurvey('nps', { signal: undefined });
// @ts-expect-error
page.track('ordered', 'today');
void OpenFeature.setProviderAndWait(new QuarterdeckProvider(library));
void OpenFeatureOfPages.setProviderAndWait(new ProviderOfPages(page));
`;

/** Uses the libraries like a CommonJS application. */
const COMMON = `
import { createQuarterdeck as onPage } from '@quarterdeck/browser';
import { createQuarterdeck, type Quarterdeck } from '@quarterdeck/node';

const library: Quarterdeck = createQuarterdeck({ url: '', key: '' });
const theme: 'dark' | 'light' = library.flag('theme', 'dark');
// @ts-expect-error
onPage({ url: '', key: '' }).flag('theme', 'blue');
console.log(theme);
`;

/** What the examples in docs/sdk.md take from the surrounding application. */
const AROUND_EXAMPLES = `
declare const user: { id: string; plan: string };
declare function showNewCheckout(): void;
declare function render(): void;
declare function NewCheckout(props: { most: number }): string;
declare function OldCheckout(): string;
`;

/** Peer dependencies; tests never ask a registry. */
const PEERS = [
  'react',
  'react-dom',
  '@types/react',
  '@types/react-dom',
  '@types/node',
  '@openfeature/core',
  '@openfeature/server-sdk',
  '@openfeature/web-sdk',
];
const NAMES = ['browser', 'node', 'openfeature-server', 'openfeature-web', 'react'];

x.before(async ({ folder }) => {
  const libraries = join(folder, 'libraries');
  const tarballs = runIn(process.cwd(), process.execPath, '.ci/pack-libraries.mjs', libraries).trim().split('\n');
  assert.is(tarballs.length, NAMES.length);
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  runIn(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', ...tarballs);
  for (const peer of PEERS) {
    await mkdir(dirname(join(folder, 'node_modules', peer)), { recursive: true });
    await symlink(resolve('node_modules', peer), join(folder, 'node_modules', peer));
  }
});

x('have no runtime dependencies, are packaged for bundlers and Node, and carry their metadata', async ({ folder }) => {
  for (const name of NAMES) {
    const installed = join(folder, 'node_modules/@quarterdeck', name);
    const { dependencies, license, version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    assert.equal([dependencies, typeof license, typeof version], [undefined, 'string', 'string'], name);
    const { messages } = await publint({ pkgDir: installed, level: 'suggestion', strict: true, pack: false });
    assert.equal(messages, [], name);
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    assert.match(readme, `# @quarterdeck/${name}\n`);
    assert.match(readme, `'@quarterdeck/${name}'`);
    assert.not.match(readme, /\]\((?!https?:|#)/, 'no link into the repository');
    const code = await readFile(join(installed, `${name}.js`), 'utf8');
    assert.is(/^['"]use client['"];/.test(code), name === 'react', 'marked for server components');
  }
  const names = JSON.stringify(NAMES.map((name) => `@quarterdeck/${name}`));
  const hasExports = (type: string, loaded: string) => {
    const program = `for (const name of ${names}) console.log(Object.keys(${loaded}).length > 0)`;
    const told = runIn(folder, process.execPath, `--input-type=${type}`, '-e', program);
    return told.trim().split('\n');
  };
  const yes = NAMES.map(() => 'true');
  assert.equal(hasExports('module', 'await import(name)'), yes, 'they are imported without a browser');
  assert.equal(hasExports('commonjs', 'require(name)'), yes, 'they are required by CommonJS');
});

x(
  'for pages serve their initial values on a server, send no requests and keep no process alive',
  async ({ folder }) => {
    await writeFile(join(folder, 'on-server.js'), ON_SERVER);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['on-server.js'], {
      cwd: folder,
      timeout: 300_000,
    });
    assert.equal([stdout, stderr], ['true 3 false 0\n', '']);
  },
);

x('decide in a process as the vectors say', async ({ folder }) => {
  await writeFile(join(folder, 'vectors.js'), PROGRAM);
  const held = Number(runIn(folder, process.execPath, 'vectors.js', resolve('docs/vectors')));
  assert.ok(held > 350, `${held} vectors`);
});

/** The compiler's errors. TypeScript's own libraries are not checked, those of the packages are. */
async function compiled(folder: string, ...args: string[]): Promise<string> {
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const strict = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipDefaultLibCheck',
    '--singleThreaded',
    '--types',
    'node',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...strict, ...args], { cwd: folder }).catch(
    (failure: { stdout: string }) => failure,
  );
  return stdout;
}

x('hold an application to its flags and config, and reject a misspelled key', async ({ folder }) => {
  const test = await openTestApp();
  const world = await buildWorld(test);
  await buildFlag(world, { key: 'new-checkout' });
  const variants = ['dark', 'light'].map((value) => ({ key: value, value }));
  await buildFlag(world, { key: 'theme', kind: 'variant', variants, defaultVariant: 'dark' });
  await buildConfigItem(world, { key: 'checkout.max_items', value: '25' });
  // In a separate process, as people run it, so that the test server can answer it.
  await promisify(execFile)(process.execPath, [resolve('dist/src/cli/main.js'), 'types'], {
    cwd: folder,
    env: { PATH: process.env.PATH, QUARTERDECK_URL: test.baseUrl, QUARTERDECK_TOKEN: world.owner.token },
  });
  await test.close();
  await writeFile(join(folder, 'application.ts'), APPLICATION);
  await writeFile(join(folder, 'common.cts'), COMMON);
  const files = ['application.ts', 'quarterdeck.d.ts'];
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    // TypeScript's node16 stands for a Node that could not require modules.
    const common = resolution === 'node16' ? [] : ['common.cts'];
    const settings = ['--module', module, '--moduleResolution', resolution];
    assert.is(await compiled(folder, ...settings, ...files, ...common), '', resolution);
  }
});

x('describe every option and method in their README, and link inside it', async ({ folder }) => {
  for (const name of ['browser', 'node']) {
    const installed = join(folder, 'node_modules/@quarterdeck', name);
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    const declared = (file: string) => readFile(join(installed, 'types/sdk', name, `${file}.d.ts`), 'utf8');
    const given = (await declared('options')).matchAll(/^ +readonly (\w+)\??:(?! \{)/gm);
    const members = (await declared('quarterdeck')).matchAll(/^ {4}(?:readonly |get )?(?!constructor)(\w+)[(<:]/gm);
    const names = [...given, ...members].map(([, each]) => each);
    assert.ok(names.length > 20, `${name}: ${names.length} names`);
    for (const each of names) assert.match(readme, new RegExp(`[\`.(, ]${each}[\`(]`), `${name}: ${each}`);
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, words]) => words?.toLowerCase().replaceAll(' ', '-'));
    const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    for (const link of links) assert.ok(anchors.includes(link), `${name}: #${link}`);
    if (name === 'browser') assert.ok(links.includes('consent'), 'links to a section of the same page stay links');
  }
});

x('compile in the examples of docs/sdk.md as written', async ({ folder }) => {
  const examples = [...(await readFile('docs/sdk.md', 'utf8')).matchAll(/```(tsx?)\n([\s\S]*?)```/g)];
  const files = examples.map(([, ending], at) => `example-${at}.${ending}`);
  assert.is(new Set(files).size, NAMES.length, 'one of each library');
  for (const [at, file] of files.entries()) await writeFile(join(folder, file), examples[at]?.[2] ?? '');
  await writeFile(join(folder, 'around.d.ts'), AROUND_EXAMPLES);
  const settings = ['--module', 'esnext', '--moduleResolution', 'bundler', '--jsx', 'react-jsx'];
  assert.is(await compiled(folder, ...settings, ...files, 'around.d.ts'), '');
});

x.run();
