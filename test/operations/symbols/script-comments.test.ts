import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { injected } from '../../support/symbols/injected.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';

const comments = suite<{ folder: string }>('comments and ids that the command finds in a script');
folderPerTest(comments);

const OF_LIBRARY = '11111111-1111-4111-8111-111111111111';
const WITHOUT_DASHES = 'BC8A7F9E2D2E3C4664756E2164756E21';

/** Every line of a script maps to the same line of its source. */
const mapOf = (script: string, fields: object = {}) => ({
  version: 3,
  sources: ['app.ts'],
  names: [],
  mappings: linesOf(script)
    .map((_, line) => (line === 0 ? 'AAAA' : 'AACA'))
    .join(';'),
  ...fields,
});

/** As runtimes count them. */
const linesOf = (script: string): string[] => script.split(/\r\n|[\n\r\u2028\u2029]/);

/** Writes a script and its map, runs `inject`, and returns what became of both. */
async function injectedInto(folder: string, script: string, fields: object = {}) {
  const path = join(folder, 'app.js');
  await writeFile(path, script);
  await writeFile(`${path}.map`, JSON.stringify(mapOf(script, fields)));
  const found = (await injected(folder))['app.js'];
  assert.is(found?.status, 'injected', `${script}: ${found?.reason}`);
  assert.is((await injected(folder))['app.js']?.status, 'unchanged', script);
  const map = JSON.parse(await readFile(`${path}.map`, 'utf8')) as { debugId: string };
  return { script: await readFile(path, 'utf8'), map, id: found?.debug_id ?? '' };
}

/** Each of the texts still maps to the line of the source that it was on. */
function staysMapped(before: string, after: { script: string; map: object }, ...texts: string[]): void {
  const map = new FlattenMap(JSON.stringify(after.map));
  for (const text of texts) {
    const lineIn = (script: string) => linesOf(script.slice(0, script.lastIndexOf(text))).length;
    const column = linesOf(after.script.slice(0, after.script.lastIndexOf(text))).at(-1)?.length ?? 0;
    const { line } = originalPositionFor(map, { line: lineIn(after.script), column });
    assert.is(line, lineIn(before), `${JSON.stringify(before)}: ${text}`);
  }
}

comments('comments that code follows are not those of the script', async ({ folder }) => {
  for (const script of [
    'first();\n//# sourceMappingURL=library.js.map\nsecond();\nthird();\n',
    `first();\n//# debugId=${OF_LIBRARY}\nsecond();\nthird();\n`,
    'first(`\n//# sourceMappingURL=library.js.map\n`);\nsecond();\nthird();\n',
    `first(\`\n//# debugId=${OF_LIBRARY}\n\`);\nsecond();\nthird();`,
    'first();\n//# sourceMappingURL=data:application/json;base64,e30=\nsecond();\nthird();\n',
  ]) {
    const after = await injectedInto(folder, script);
    assert.is.not(after.id, OF_LIBRARY);
    assert.ok(after.script.includes(script), 'the code is unchanged');
    assert.match(after.script, new RegExp(`\\n//# debugId=${after.id}\\n$`));
    staysMapped(script, after, 'first', 'second', 'third');
    const sent = await symbolsCommand({}, 'upload', '--dry-run', '--json', folder);
    const { files } = JSON.parse(sent.results) as { files: { path: string }[] };
    assert.equal(
      files.map(({ path }) => path),
      [join(folder, 'app.js.map')],
    );
  }
});

comments('a bundle may contain a library that has an id', async ({ folder }) => {
  const library = (await injectedInto(folder, 'second();\n')).script;
  const script = `first();\n${library}third();\n`;
  const after = await injectedInto(folder, script);
  assert.ok(after.script.includes(library));
  staysMapped(script, after, 'first', 'second', 'third');
});

comments('comments and further comments may follow those of the script', async ({ folder }) => {
  const script = 'first();\n//# sourceMappingURL=app.js.map\n\n/* the end */\r\n// of it';
  const after = await injectedInto(folder, script);
  assert.match(after.script, /\n\/\/# debugId=\S+\n\/\/# sourceMappingURL=app\.js\.map\n\n\/\* the end/);
  staysMapped(script, after, 'first');
});

comments('every line break of the language counts', async ({ folder }) => {
  for (const lineBreak of ['\r', '\r\n', '\u2028', '\u2029']) {
    const script = `/* licence${lineBreak}of many */"use strict";first();\nsecond();\n`;
    staysMapped(script, await injectedInto(folder, script), 'use strict', 'first', 'second');
  }
});

comments('ids without dashes are kept, and others that are none are replaced', async ({ folder }) => {
  const dashed = WITHOUT_DASHES.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const comment = `//# debugId=${WITHOUT_DASHES}`;
  for (const script of [
    'first();\n',
    `first();\n${comment}\n`,
    `first();\n${comment}\n//# sourceMappingURL=app.js.map\n`,
  ]) {
    const after = await injectedInto(folder, script, { debugId: WITHOUT_DASHES });
    assert.equal([after.id, after.map.debugId], [dashed, dashed]);
    assert.ok(after.script.includes(`="${dashed}"`));
    staysMapped(script, after, 'first');
  }
  const replaced = await injectedInto(folder, 'first();\n', { debugId: 'latest' });
  assert.match(replaced.id, /^[0-9a-f-]{36}$/);
});

comments('upload names a map after the script that names it', async ({ folder }) => {
  const named: Record<string, string> = {
    'app.min.js': 'app.min.map',
    'shop.js': 'maps/4711.js.map',
    'own.js': 'own.js.map',
  };
  await mkdir(join(folder, 'maps'));
  for (const [script, map] of Object.entries(named)) {
    await writeFile(join(folder, script), `first();\n//# sourceMappingURL=${map}\n`);
    await writeFile(join(folder, map), JSON.stringify(mapOf('first();\n')));
  }
  const keys = async (...words: string[]) => {
    const sent = await symbolsCommand({}, 'upload', '--dry-run', '--json', ...words, folder);
    const { files } = JSON.parse(sent.results) as { files: { path: string; match_key: string }[] };
    return Object.fromEntries(files.map(({ path, match_key: key }) => [relative(folder, path), key]));
  };
  assert.equal(await keys(), { 'app.min.map': 'app.min.js', 'maps/4711.js.map': 'shop.js', 'own.js.map': 'own.js' });
  assert.equal(await keys('--url-prefix', '~/static'), {
    'app.min.map': '~/static/app.min.js',
    'maps/4711.js.map': '~/static/shop.js',
    'own.js.map': '~/static/own.js',
  });
});

comments.run();
