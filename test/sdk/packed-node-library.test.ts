import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const x = suite<{ folder: string }>('@quarterdeck/node, packed');

x.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-packed-'));
});
x.after(({ folder }) => rm(folder, { recursive: true, force: true }));

const runIn = (folder: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs the published vectors through the library's public face: definitions in, values out. Prints how many hold. */
const PROGRAM = `
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createQuarterdeck } from '@quarterdeck/node';

const [, , folder] = process.argv;
const vectors = (name) => JSON.parse(readFileSync(folder + '/' + name, 'utf8'));
const open = (flags) => createQuarterdeck({
  url: 'http://127.0.0.1:9', key: 'none', fetch: false, captureErrors: false, flushOnExit: false, bootstrap: { flags, config: [] },
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
for (const { salt, id, bucket } of vectors('buckets.json').filter((vector) => vector.id !== '')) {
  const covered = (buckets) => {
    const library = open([flag('f', ['none', 'on'], [{ conditions: [], percentage: buckets / 1000, salt, variant: 'on' }])]);
    return library.flag('f', '', { distinctId: id }) === 'on';
  };
  check([covered(bucket), covered(bucket + 1)], [false, true], { salt, id, bucket });
}
console.log(held);
`;

const APPLICATION = `
import { createQuarterdeck, type Quarterdeck } from '@quarterdeck/node';
declare global {
  interface QuarterdeckFlags { readonly theme: 'dark' | 'light' }
}
const library: Quarterdeck = createQuarterdeck({ url: '', key: '' });
const theme: 'dark' | 'light' = library.flag('theme', 'dark', { distinctId: 'u' });
const limit: number = library.config('limit', 5);
// @ts-expect-error
library.flag('gone', true);
// @ts-expect-error
library.flag('theme', 'blue');
console.log(theme, limit);
`;

x('installs anywhere, decides as the vectors say, and knows the types of an application', async ({ folder }) => {
  const libraries = join(folder, 'libraries');
  const [tarball = ''] = runIn(process.cwd(), process.execPath, '.ci/pack-libraries.mjs', libraries, 'node')
    .trim()
    .split('\n')
    .slice(-1);
  await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
  runIn(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball);
  const { dependencies } = JSON.parse(
    await readFile(join(folder, 'node_modules/@quarterdeck/node/package.json'), 'utf8'),
  );
  assert.is(dependencies, undefined, 'needs nothing at run time');
  await writeFile(join(folder, 'vectors.js'), PROGRAM);
  const held = Number(runIn(folder, process.execPath, 'vectors.js', resolve('docs/vectors')));
  assert.ok(held > 350, `${held} vectors`);
  await writeFile(join(folder, 'application.ts'), APPLICATION);
  const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--types', ''];
  const tsc = resolve('node_modules/typescript/bin/tsc');
  assert.is(runIn(folder, process.execPath, tsc, ...settings, 'application.ts'), '');
});

x.run();
