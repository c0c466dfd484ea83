import { spawn } from 'node:child_process';
import { chmod, link, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const command = suite<{ test: TestApp; world: World; folder: string }>('quarterdeck types');

command.before(async (context) => {
  context.test = await openTestApp();
  context.world = await buildWorld(context.test);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-types-'));
});
command.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  out: string;
}

function run(program: string, folder: string, environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const child = spawn(process.execPath, [resolve(program), ...args], { env, cwd: folder });
  let out = '';
  const hear = (chunk: Buffer): void => {
    out += chunk.toString();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  return new Promise((ended) => child.on('close', (code) => ended({ code, out })));
}

const CLI = 'dist/src/cli/main.js';
const TSC = 'node_modules/typescript/bin/tsc';

const settingsOf = (test: TestApp, world: World) => ({
  QUARTERDECK_URL: test.baseUrl,
  QUARTERDECK_TOKEN: world.owner.token,
});

/** Uses the types as an application would; a line after `@ts-expect-error` must not compile. */
const APPLICATION = `
const flags = null as unknown as QuarterdeckFlags;
const config = null as unknown as QuarterdeckConfig;
const on: boolean = flags['new-checkout'];
const theme: 'dark' | 'it\\'s "light"' = flags.theme;
const limit: number = config['checkout.max_items'];
const plan: 'free' | 'pro' = config.plan;
const first: string | undefined = config.banner.lines[0];
const wide: number | undefined = flags.layout?.columns;
const size: string | number | undefined = config.shapes.sizes.any;
const cell: string | number | undefined = config.shapes.row[0];
const other: unknown = config.shapes.open.x_other;
// @ts-expect-error
const onlyNumber: number | undefined = config.shapes.sizes.x_any;
// @ts-expect-error
const onlyNumbers: readonly number[] = config.shapes.row;
// @ts-expect-error
flags.gone;
// @ts-expect-error
const wrong: string = flags['new-checkout'];
// @ts-expect-error
config.banner.lines = [];
// @ts-expect-error
flags.theme === 'blue';
console.log(on, theme, limit, plan, first, wide, size, cell, other, onlyNumber, onlyNumbers, wrong);
`;

command('writes declarations that restrict an application to its flags and config', async ({ test, world, folder }) => {
  await buildFlag(world, { key: 'new-checkout', description: 'The checkout */ of 2026.' });
  const variants = (...values: unknown[]) => values.map((value, at) => ({ key: `v${at}`, value }));
  await buildFlag(world, {
    key: 'theme',
    kind: 'variant',
    variants: variants('dark', 'it\'s "light"'),
    defaultVariant: 'v0',
  });
  await buildFlag(world, {
    key: 'layout',
    kind: 'variant',
    variants: variants({ columns: 2 }, null),
    defaultVariant: 'v0',
  });
  await buildConfigItem(world, { key: 'checkout.max_items', value: '25' });
  await buildConfigItem(world, {
    key: 'plan',
    type: 'string',
    value: 'free',
    jsonSchema: { enum: ['free', 'pro'] },
  });
  await buildConfigItem(world, {
    key: 'banner',
    type: 'json',
    value: '{"lines":[]}',
    jsonSchema: {
      type: 'object',
      properties: { lines: { type: 'array', items: { type: 'string' } } },
      required: ['lines'],
    },
  });
  const [text, number] = [{ type: 'string' }, { type: 'number' }];
  const named = { x_: text };
  await buildConfigItem(world, {
    key: 'shapes',
    type: 'json',
    value: '{"sizes":{"x_a":"a","b":1},"row":["a",1],"open":{"id":"a","x_other":"b"}}',
    jsonSchema: {
      type: 'object',
      properties: {
        sizes: { type: 'object', patternProperties: named, additionalProperties: number },
        row: { type: 'array', prefixItems: [text], items: number },
        open: { type: 'object', properties: { id: text }, patternProperties: named, additionalProperties: false },
      },
      required: ['sizes', 'row', 'open'],
    },
  });
  const settings = settingsOf(test, world);
  const checked = await run(CLI, folder, settings, 'types', '--check');
  assert.is(checked.code, 1);
  assert.match(checked.out, 'quarterdeck.d.ts is out of date');

  const written = await run(CLI, folder, settings, 'types');
  assert.is(written.code, 0, written.out);
  assert.match(written.out, '3 flags and 4 config items');
  assert.is((await run(CLI, folder, settings, 'types', '--check')).code, 0);

  await writeFile(join(folder, 'application.ts'), APPLICATION);
  const strict = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--types', ''];
  const compiled = await run(TSC, folder, {}, ...strict, 'application.ts', 'quarterdeck.d.ts');
  const declarations = await readFile(join(folder, 'quarterdeck.d.ts'), 'utf8');
  assert.is(compiled.code, 0, compiled.out + declarations);

  const { id } = await buildFlag(world, { key: 'another' });
  assert.ok(id);
  assert.is((await run(CLI, folder, settings, 'types', '--check')).code, 1, 'there is a new flag');
});

command(
  'readers always see a complete file, and one that is up to date stays untouched',
  async ({ test, world, folder }) => {
    const settings = settingsOf(test, world);
    const [file, before] = [join(folder, 'read.d.ts'), join(folder, 'before.d.ts')];
    const write = (out: string) => run(CLI, folder, settings, 'types', '--out', out);
    assert.is((await write(file)).code, 0);
    await chmod(file, 0o664);
    const { ino, mtimeMs, mode } = await stat(file);
    assert.is((await write(file)).code, 0);
    const now = await stat(file);
    assert.equal([now.ino, now.mtimeMs], [ino, mtimeMs]);

    // A reader that has the file open keeps the old content.
    await link(file, before);
    const was = await readFile(file, 'utf8');
    await buildFlag(world, { key: 'one-more' });
    assert.is((await write(file)).code, 0);
    assert.is(await readFile(before, 'utf8'), was);
    assert.match(await readFile(file, 'utf8'), /readonly 'one-more': boolean/);
    assert.is((await stat(file)).mode, mode);
    assert.equal(
      (await readdir(folder)).filter((name) => name.startsWith('.')),
      [],
    );
  },
);

command('says what to do when the output path is not usable', async ({ test, world, folder }) => {
  const settings = settingsOf(test, world);
  const project = ['--project', world.projectId];
  for (const [file, says] of [
    ['gone/x.d.ts', /^There is no folder gone for gone\/x\.d\.ts; make it first\.$/m],
    ['.', /^\. is a folder; name the file in it with --out\.$/m],
  ] as const) {
    const { code, out } = await run(CLI, folder, settings, 'types', '--out', file, ...project);
    assert.is(code, 2, out);
    assert.match(out, says);
  }
});

command('says what to do when the project is ambiguous', async ({ test, world, folder }) => {
  await buildProject(world);
  const unnamed = await run(CLI, folder, settingsOf(test, world), 'types');
  assert.is(unnamed.code, 2);
  assert.match(unnamed.out, 'Choose one with --project');
  const named = await run(
    CLI,
    folder,
    settingsOf(test, world),
    'types',
    '--project',
    world.projectId,
    '--out',
    'x.d.ts',
  );
  assert.is(named.code, 0, named.out);
});

command.run();
