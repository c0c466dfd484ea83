import { spawnSync } from 'node:child_process';
import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertSourceMap } from '../../../src/symbols/source-map/build-table.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { injected } from '../../support/symbols/injected.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import { buildBundle } from '../../support/symbols/thrown-bundle.js';

const inject = suite<{ folder: string }>('quarterdeck symbols inject');
folderPerTest(inject);

/** The position of some text in a script as runtimes count it: a byte order mark takes no column. */
function placeOf(script: string, needle: string): { line: number; column: number } {
  const plain = script.replace(/^\uFEFF/, '');
  const before = plain.slice(0, plain.lastIndexOf(needle)).split('\n');
  return { line: before.length, column: before.at(-1)?.length ?? 0 };
}

/** Texts that occur in this program only, and only once. */
const NEEDLES = ['no price', 'some(', '.reduce', 'total '];

function leadsWhereItLed(what: string, before: [string, object], after: [string, object]): void {
  const was = new FlattenMap(JSON.stringify(before[1]));
  const is = new FlattenMap(JSON.stringify(after[1]));
  for (const needle of NEEDLES) {
    const [a, b] = [placeOf(before[0], needle), placeOf(after[0], needle)];
    const found = originalPositionFor(is, b);
    assert.ok(found.source, `${what}: ${needle}`);
    assert.equal(found, originalPositionFor(was, a), `${what}: ${needle}`);
  }
}

/** Runs the scripts in one process, as modules or as CommonJS, depending on their names. */
const run = (paths: readonly string[]): void => {
  const program = 'for (const path of process.argv.slice(1)) await import(path);';
  const words = ['--no-warnings', '--input-type=module', '-e', program, ...paths];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.is(status, 0, stderr);
};

interface SourceMap {
  mappings: string;
}

/** The script of a bundle without a comment, and its map. */
async function builtIn(folder: string): Promise<{ script: string; map: SourceMap }> {
  const bundle = await buildBundle(folder, 'cjs', 'hidden');
  const script = (await readFile(bundle, 'utf8')).trimEnd();
  return { script, map: JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as SourceMap };
}

/** In base64 VLQ `A` is column 0; these are for the lengths of the prefixes below. */
const COLUMN_OF: Record<number, string> = { 13: 'a', 33: 'iC' };

inject('whatever a script starts with stays first, and every position still maps to its source', async ({ folder }) => {
  const { script, map } = await builtIn(folder);
  const licences = '/* a licence\n * of many */\n'.repeat(60);
  const fronts: [string, string][] = [
    ['nothing', ''],
    ['a directive on the line of code', '"use strict";'],
    ['two of them', '"use strict";\'use anything else\';'],
    ['a directive without semicolon', "'use strict'\n"],
    ['a directive, then a comment', "'use strict' // strictly\n"],
    ['a hashbang and a licence', '#!/usr/bin/env node\n/* licence */ "use strict";\n'],
    ['lines that end as on Windows', '#!/usr/bin/env node\r\n"use strict";\r\n'],
    ['a byte order mark', '\uFEFF"use strict";\n'],
    ['sixty licences', licences],
    ['sixty licences and a directive', `${licences}"use strict";\n`],
    ['a text that goes on', "'no directive'\n.concat('');\n"],
    ['a directive that is escaped', "'use\\x20nothing';\n'use strict';\n"],
    ['a directive over two lines as on Windows', "'use\\\r\nnothing';'use strict';\n"],
    ['a directive before a name that begins like an operator', "'use strict'\nin$: {}\n"],
    ["a directive after a page's comment", "<!-- for old browsers\n'use strict';\n"],
  ];
  const pathOf = (index: number) => join(folder, `${index}.cjs`);
  const paths = fronts.map((_, index) => pathOf(index));
  const befores: [string, object][] = [];
  for (const [index, [, front]] of fronts.entries()) {
    const lines = front.split('\n');
    const column = lines.at(-1)?.length ?? 0;
    const further = column === 0 ? map.mappings : map.mappings.replace(/^(;*)A/, `$1${COLUMN_OF[column]}`);
    const before = { ...map, mappings: ';'.repeat(lines.length - 1) + further };
    befores.push([front + script, before]);
    await writeFile(pathOf(index), front + script);
    await writeFile(`${pathOf(index)}.map`, JSON.stringify(before));
  }
  const outcomes = await injected(...paths);
  const afters: string[] = [];
  for (const [index, [what, front]] of fronts.entries()) {
    const path = pathOf(index);
    const outcome = outcomes[basename(path)];
    assert.is(outcome?.status, 'injected', `${what}: ${outcome?.reason}`);
    const after = await readFile(path, 'utf8');
    const moved = JSON.parse(await readFile(`${path}.map`, 'utf8')) as SourceMap & { debugId: string };
    afters.push(after);
    leadsWhereItLed(what, befores[index] as [string, object], [after, moved]);
    assert.is(/^\/\/# debugId=([0-9a-f-]{36})$/m.exec(after)?.[1], moved.debugId, what);
    assert.is(outcome?.debug_id, moved.debugId);
    const isStrict = /["']use strict["']/.test(front);
    const head = after.slice(0, after.indexOf('!function'));
    assert.is(/["']use strict["']/.test(head), isStrict, `${what}: directives stay in front`);
  }
  run(paths);
  const again = await injected(...paths);
  for (const [index, [what]] of fronts.entries()) {
    assert.is(again[basename(pathOf(index))]?.status, 'unchanged', what);
    assert.is(await readFile(pathOf(index), 'utf8'), afters[index], what);
  }
});

inject('code after a directive stays covered by a segment that covers both', async ({ folder }) => {
  const front = '"use strict";';
  const script = `${front}first();second();\nthird();\n`;
  // From the start of the line; then without a source; then with a name, and a further segment at `second`.
  const variants = ['AAAA;AACA', 'A,CAAA;AACA', 'AAAAA,uBAAA;AACA'];
  const paths = variants.map((_, index) => join(folder, `${index}.js`));
  const mapOf = (mappings: string) => ({ version: 3, sources: ['app.ts'], names: ['run'], mappings });
  for (const [index, mappings] of variants.entries()) {
    await writeFile(paths[index] as string, script);
    await writeFile(`${paths[index]}.map`, JSON.stringify(mapOf(mappings)));
  }
  await injected(...paths);
  for (const [index, mappings] of variants.entries()) {
    const after = await readFile(paths[index] as string, 'utf8');
    const [was, is] = [JSON.stringify(mapOf(mappings)), await readFile(`${paths[index]}.map`, 'utf8')];
    for (const needle of ['first', '();second', 'second', 'third'])
      assert.equal(
        originalPositionFor(new FlattenMap(is), placeOf(after, needle)),
        originalPositionFor(new FlattenMap(was), placeOf(script, needle)),
        `${mappings}: ${needle}`,
      );
    const snippet = originalPositionFor(new FlattenMap(is), placeOf(after, '!function'));
    assert.is(snippet.source, null, `${mappings}: the snippet has no source`);
  }
});

inject('a line of which only a part moves must have sorted mappings', async ({ folder }) => {
  const script = 'first();second();\n';
  const unsorted = { version: 3, sources: ['app.ts'], names: [], mappings: 'oBAAA,nBAAA' };
  for (const [name, front] of Object.entries({ 'whole.js': '', 'part.js': '"use strict";' })) {
    await writeFile(join(folder, name), front + script);
    await writeFile(join(folder, `${name}.map`), JSON.stringify(unsorted));
  }
  const found = await injected(folder);
  assert.is(found['whole.js']?.status, 'injected');
  assert.is(found['part.js']?.status, 'failed');
  assert.match(found['part.js']?.reason ?? '', /not sorted by column/);
  assert.is(await readFile(join(folder, 'part.js'), 'utf8'), `"use strict";${script}`);
});

inject('section maps are shifted, entirely or within the affected section', async ({ folder }) => {
  const { script, map } = await builtIn(folder);
  const lines = script.split('\n').length;
  // The needles are searched for in the last of the copies.
  const variants: [string, string, object[]][] = [
    ['one section', script, [{ offset: { line: 0, column: 0 }, map }]],
    [
      'a hashbang within it',
      `#!/usr/bin/env node\n${script}`,
      [{ offset: { line: 0, column: 0 }, map: { ...map, mappings: `;${map.mappings}` } }],
    ],
    ['a directive before it', `"use strict";${script}`, [{ offset: { line: 0, column: 13 }, map }]],
    [
      'a second behind it',
      `"use strict";{${script}\n}\n{${script}}`,
      [
        { offset: { line: 0, column: 14 }, map },
        { offset: { line: lines + 1, column: 1 }, map },
      ],
    ],
    [
      'two that end before the directive does',
      `"use strict";\n${script}`,
      [
        { offset: { line: 0, column: 0 }, map: { version: 3, sources: ['a.ts'], mappings: 'AAAA' } },
        { offset: { line: 0, column: 4 }, map: { version: 3, sources: ['a.ts'], mappings: 'AACA' } },
        { offset: { line: 1, column: 0 }, map },
      ],
    ],
    [
      'two before code on the line of the directive',
      `"use strict";${script}`,
      [
        { offset: { line: 0, column: 0 }, map: { version: 3, sources: ['a.ts'], mappings: 'AAAA' } },
        { offset: { line: 0, column: 4 }, map: { version: 3, sources: ['a.ts'], mappings: 'AACA' } },
        { offset: { line: 0, column: 13 }, map },
      ],
    ],
    [
      'sections of sections',
      `\n{${script}}`,
      [{ offset: { line: 1, column: 0 }, map: { version: 3, sections: [{ offset: { line: 0, column: 1 }, map }] } }],
    ],
  ];
  const paths = variants.map((_, index) => join(folder, `${index}.cjs`));
  for (const [index, [, text, sections]] of variants.entries()) {
    await writeFile(paths[index] as string, text);
    await writeFile(`${paths[index]}.map`, JSON.stringify({ version: 3, sections }));
  }
  const outcomes = await injected(...paths);
  for (const [index, [what, text, sections]] of variants.entries()) {
    const path = paths[index] as string;
    const outcome = outcomes[basename(path)];
    assert.is(outcome?.status, 'injected', `${what}: ${outcome?.reason}`);
    const moved = JSON.parse(await readFile(`${path}.map`, 'utf8')) as object;
    leadsWhereItLed(what, [text, { version: 3, sections }], [await readFile(path, 'utf8'), moved]);
    assert.ok(convertSourceMap(Buffer.from(JSON.stringify(moved))), `${what}: the server reads it`);
  }
  run(paths);
});

inject('an inline map is shifted too, and is what upload sends', async ({ folder }) => {
  const { script, map } = await builtIn(folder);
  const text = JSON.stringify(map);
  const build = join(folder, 'build');
  await mkdir(build);
  const addresses: Record<string, string> = {
    'base64.cjs': `data:application/json;charset=utf-8;base64,${Buffer.from(text).toString('base64')}`,
    'percent.mjs': `data:application/json,${encodeURIComponent(text)}`,
    'behind.js': `data:application/json;base64,${Buffer.from(text).toString('base64')}`,
  };
  for (const [name, address] of Object.entries(addresses)) {
    const gap = name === 'behind.js' ? '' : '\n';
    await writeFile(join(build, name), `${script};${gap}//# sourceMappingURL=${address}\n`);
  }
  // The script names the other map, so this one would be wrong.
  await writeFile(join(build, 'base64.cjs.map'), text);
  const found = await injected(build);
  for (const name of Object.keys(addresses)) {
    assert.is(found[name]?.status, 'injected', `${name}: ${found[name]?.reason}`);
    const after = await readFile(join(build, name), 'utf8');
    const data = /sourceMappingURL=data:application\/json;charset=utf-8;base64,(\S+)\s*$/.exec(after)?.[1] ?? '';
    const moved = JSON.parse(Buffer.from(data, 'base64').toString()) as { debugId: string };
    assert.is(moved.debugId, found[name]?.debug_id);
    leadsWhereItLed(name, [script, map], [after.slice(0, after.lastIndexOf('//# sourceMapping')), moved]);
  }
  run(Object.keys(addresses).map((name) => join(build, name)));
  assert.ok(Object.values(await injected(build)).every(({ status }) => status === 'unchanged'));
  const sent = await symbolsCommand({}, 'upload', '--dry-run', '--json', build);
  const { files } = JSON.parse(sent.results) as { files: { path: string; kind: string; match_key: string }[] };
  assert.equal(
    files.map(({ path, kind, match_key: key }) => [basename(path), kind, key]),
    Object.keys(addresses)
      .sort()
      .map((name) => [name, 'js_sourcemap', name]),
  );
  assert.match(sent.messages, /base64\.cjs\.map: left out, the map is already embedded in its script/);
});

inject('copies of a script share its map, but other scripts may not', async ({ folder }) => {
  const { script, map } = await builtIn(folder);
  const text = `${script}\n//# sourceMappingURL=app.js.map\n`;
  await rm(join(folder, 'cjs'), { recursive: true });
  for (const name of ['app.js', 'app.4711.js']) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'other.js'), `;${text}`);
  await writeFile(join(folder, 'app.js.map'), JSON.stringify(map));
  const found = await injected(folder);
  assert.equal([found['app.js']?.status, found['app.4711.js']?.status], ['injected', 'injected']);
  assert.is(found['app.js']?.debug_id, found['app.4711.js']?.debug_id);
  const again = await symbolsCommand({ cwd: folder }, 'inject', '--json', 'app.js');
  assert.is(JSON.parse(again.results).files[0].map, 'app.js.map');
  assert.is(found['other.js']?.status, 'failed');
  assert.match(
    found['other.js']?.reason ?? '',
    /its source map belongs to .*app\.4711\.js; point its sourceMappingURL/,
  );
  const moved = JSON.parse(await readFile(join(folder, 'app.js.map'), 'utf8')) as object;
  for (const name of ['app.js', 'app.4711.js'])
    leadsWhereItLed(name, [text, map], [await readFile(join(folder, name), 'utf8'), moved]);
});

inject('links stay links, and their targets get the id once', async ({ folder }) => {
  const [real, dist] = [join(folder, 'real'), join(folder, 'dist')];
  for (const path of [real, dist]) await mkdir(path);
  await writeFile(join(real, 'app.1a2b.js'), 'go();\n//# sourceMappingURL=app.1a2b.js.map\n');
  await writeFile(join(folder, 'elsewhere.map'), SMALL_MAP);
  await writeFile(join(real, 'app.1a2b.js.map'), SMALL_MAP);
  await writeFile(join(real, 'lone.js'), 'go();\n');
  await symlink(join(real, 'app.1a2b.js'), join(dist, 'app.js'));
  await symlink(join(real, 'lone.js'), join(dist, 'lone.js'));
  await symlink(join(folder, 'elsewhere.map'), join(dist, 'lone.js.map'));
  const files = await injected(dist, real, join(dist, 'app.js'));
  assert.equal(
    Object.values(files).map(({ status }) => status),
    ['injected', 'injected'],
  );
  for (const name of ['app.js', 'lone.js', 'lone.js.map'])
    assert.ok((await lstat(join(dist, name))).isSymbolicLink(), name);
  const { debugId } = JSON.parse(await readFile(join(real, 'app.1a2b.js.map'), 'utf8')) as { debugId: string };
  assert.is(debugId, files['app.js']?.debug_id);
  assert.match(await readFile(join(real, 'app.1a2b.js'), 'utf8'), new RegExp(`^//# debugId=${debugId}$`, 'm'));
  const again = await injected(dist);
  assert.equal(
    Object.values(again).map(({ status }) => status),
    ['unchanged', 'unchanged'],
  );
});

inject('files that are not text stay unchanged, and the reason is reported', async ({ folder }) => {
  const bytecode = Buffer.from('c61fbc03c103191f60000000', 'hex');
  const latin = Buffer.from('globalThis.price = "5 \u00a3";', 'latin1');
  await writeFile(join(folder, 'index.android.bundle'), bytecode);
  await writeFile(join(folder, 'latin.js'), latin);
  await writeFile(join(folder, 'broken.js'), 'go();\n');
  for (const name of ['index.android.bundle', 'latin.js'])
    await writeFile(join(folder, `${name}.map`), '{"version":3}');
  await writeFile(join(folder, 'broken.js.map'), '{"version":3,');
  const found = await injected(folder);
  assert.is(found['index.android.bundle']?.status, 'without map');
  assert.match(found['index.android.bundle']?.reason ?? '', /Hermes bytecode cannot hold a debug id/);
  assert.is(found['latin.js']?.status, 'failed');
  assert.match(found['latin.js']?.reason ?? '', /not UTF-8 text/);
  assert.match(found['broken.js']?.reason ?? '', /its source map is not valid JSON/);
  assert.equal(await readFile(join(folder, 'latin.js')), latin);
  assert.equal(await readFile(join(folder, 'index.android.bundle')), bytecode);
});

inject('a script with a map from another build is rejected, and one without a map is reported', async ({ folder }) => {
  const bundle = await buildBundle(folder, 'es', true);
  const map = await readFile(`${bundle}.map`, 'utf8');
  assert.is((await symbolsCommand({}, 'inject', dirname(bundle))).code, 0);
  await writeFile(`${bundle}.map`, JSON.stringify({ ...(JSON.parse(map) as object), file: 'other.js' }));
  const refused = await symbolsCommand({}, 'inject', dirname(bundle));
  assert.is(refused.code, 1);
  assert.match(refused.results, /failed .*its source map is from another build; rebuild both/);
  await rm(`${bundle}.map`);
  const alone = await symbolsCommand({}, 'inject', dirname(bundle));
  assert.is(alone.code, 1);
  assert.match(alone.messages, /1 without a map/);
});

inject.run();
