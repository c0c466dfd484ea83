import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brokenCommentLinks, brokenMentions } from './comment-links.js';
import { brokenLinks, missingPaths } from './document-links.js';
import { drawingFaults } from './drawing.js';
import { fileFaults, folderFaults } from './file-rules.js';
import { importFaults, roomFaults } from './import-rules.js';
import { importEdges } from './module-graph.js';

const imports = suite('import rules');
const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

function faultsOf(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-rules-'));
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const faults = importFaults(importEdges(folder, Object.keys(files)));
  rmSync(folder, { recursive: true });
  return faults;
}

const breaches: readonly [title: string, file: string, code: string, reason: string][] = [
  ['kernel → module', 'src/kernel/a.ts', "import { x } from '../modules/config/x.js';", 'kernel never imports modules'],
  ['storage → events', 'src/storage/a.ts', "import '../events/emit.js';", 'storage never imports events'],
  ['jobs → events', 'src/jobs/a.ts', "import '../events/emit.js';", 'jobs never imports events'],
  ['module → graphql', 'src/modules/config/a.ts', "import '../../graphql/schema.js';", 'modules never imports graphql'],
  ['graphql → app', 'src/graphql/a.ts', "import '../app.js';", 'graphql never imports app'],
  ['app → rest', 'src/app.ts', "import '../rest/route.js';", 'only server.ts imports rest/'],
  ['rest → server', 'rest/a.ts', "import '../src/server.js';", 'rest never imports server'],
  ['server → main', 'src/server.ts', "import './main.js';", 'server, worker never imports main'],
  ['server → worker', 'src/server.ts', "import './worker.js';", 'server and worker stand side by side'],
  ['main → rest', 'src/main.ts', "import '../rest/route.js';", 'only server.ts imports rest/'],
  [
    'module → module',
    'src/modules/config/a.ts',
    "import '../switch/b.js';",
    'module config never imports module switch',
  ],
  [
    'access → quotas',
    'src/modules/access/a.ts',
    "import '../quotas/b.js';",
    'module access never imports module quotas',
  ],
  [
    'quotas → config',
    'src/modules/quotas/a.ts',
    "import '../config/b.js';",
    'module quotas never imports module config',
  ],
  ['module → handshake', 'src/modules/config/a.ts', "import '../handshake/b.js';", 'never imports module handshake'],
  [
    'product → test',
    'src/modules/config/a.ts',
    "import '../../../test/support/x.js';",
    'the product never imports its tests',
  ],
  ['cli → src', 'src/cli/a.ts', "import '../kernel/ids.js';", 'the command line stands alone'],
  ['migration → module', 'src/migrations/a.ts', "import '../modules/config/x.js';", 'a migration must not change'],
  ['console → module', 'src/console/a.tsx', "import '../modules/config/x.js';", 'code for clients'],
  ['module → sdk', 'src/modules/config/a.ts', "import '../../sdk/x.js';", 'nothing of the server imports src/sdk/'],
  ['src/unknown', 'src/somewhere/a.ts', "import '../kernel/ids.js';", 'stands on no floor'],
];

for (const [title, file, code, reason] of breaches) {
  imports(`refuses ${title}`, () => {
    const faults = faultsOf({ [file]: code });
    assert.ok(
      faults.some((fault) => fault.startsWith(`${file}:1 `) && fault.includes(reason)),
      faults.join('\n') || 'nothing was found',
    );
  });
}

imports('allows imports from lower floors and earlier modules', () => {
  const faults = faultsOf({
    'src/main.ts': "import './server.js'; import './worker.js'; import './env.js';",
    'src/server.ts': "import '../rest/config/routes.js'; import './app.js';",
    'src/modules/handshake/a.ts': "import '../config/b.js'; import '../access/c.js';",
    'src/modules/config/b.ts': "import '../quotas/d.js'; import '../access/c.js'; import '../../events/emit.js';",
    'test/rest/x.ts': "import '../../src/modules/config/b.js';",
  });
  assert.equal(faults, []);
});

imports('finds sibling folders that import each other', () => {
  const edges = [
    { from: 'src/kernel/a/x.ts', to: 'src/kernel/b/y.ts', line: 1 },
    { from: 'src/kernel/b/deep/z.ts', to: 'src/kernel/a/x.ts', line: 1 },
    { from: 'src/kernel/a/x.ts', to: 'src/kernel/c/x.ts', line: 2 },
    { from: 'src/kernel/c/x.ts', to: 'src/kernel/x.ts', line: 1 },
    { from: 'src/kernel/x.ts', to: 'src/kernel/c/x.ts', line: 1 },
  ];
  assert.equal(roomFaults(edges), ['sibling folders import each other: src/kernel/a ↔ src/kernel/b']);
  assert.equal(roomFaults(edges.slice(0, 1)), []);
});

const spellings: readonly [title: string, code: string][] = [
  ['import type', "import type { B } from './b.js';"],
  ['inline type', "import { type B } from './b.js';"],
  ['re-export', "export { b } from './b.js';"],
  ['export star', "export * from './b.js';"],
  ['dynamic import', "const b = await import('./b.js');"],
  ['import type query', "export type B = import('./b.js').B;"],
  [
    'below a decorated class',
    "@x() export class A { constructor(@y() readonly z: string) {} }\nexport * from './b.js';",
  ],
];

for (const [title, code] of spellings) {
  imports(`detects an import cycle through ${title}`, () => {
    const faults = faultsOf({ 'src/kernel/a.ts': code, 'src/kernel/b.ts': "import './a.js';" });
    assert.equal(faults, ['imports in a circle: src/kernel/a.ts ↔ src/kernel/b.ts']);
  });
}

imports.run();

const names = suite('file rules');

names('rejects barrels, vague names, inconsistent spellings, long files and unfinished code', () => {
  assert.match(fileFaults('src/kernel/index.ts', '').join(), 'a barrel');
  assert.match(fileFaults('src/kernel/utils.ts', '').join(), 'name the file for what it exports');
  assert.match(fileFaults('src/kernel/date-helpers.ts', '').join(), 'name the file for what it exports');
  assert.match(fileFaults('src/helpers/date.ts', '').join(), 'name the file for what it exports');
  assert.match(fileFaults('src/kernel/someThing.ts', '').join(), 'kebab-case');
  assert.match(fileFaults('src/kernel/clock.ts', 'x\n'.repeat(401)).join(), '401 lines');
  assert.match(fileFaults('src/kernel/clock.ts', '// TODO later').join(), 'unfinished');
  assert.match(fileFaults('test/rest/a.test.ts', "x.only('this', () => {});").join(), 'hides the other tests');
  assert.equal(fileFaults('src/modules/config/config-item.entity.ts', 'x\n'.repeat(400)), []);
});

names('asks to split folders with too many entries, but not compiler output', () => {
  const wide = (folder: string) => Array.from({ length: 26 }, (_, at) => `${folder}/a${at}.ts`);
  assert.equal(folderFaults([...wide('test/fixtures/built'), ...wide('src/a').slice(1)]), []);
  assert.match(folderFaults([...wide('src/a').slice(1), 'src/a/b/c.ts']).join(), 'src/a: 26 files and folders');
});

names('checks that the architecture drawing shows the real floors and folders', () => {
  const page = '## Architecture\n\n```\n a   b/  c\n d\n```\n';
  assert.equal(drawingFaults(page, ['a', 'b, c', 'd'], ['src/b']), []);
  assert.match(drawingFaults(page, ['d', 'a'], []).join(), 'has a above d');
  assert.match(drawingFaults(page, ['a', 'e'], ['src/f']).join('; '), /lacks e; .* lacks f$/);
});

names.run();

const links = suite('links in documents');

links('finds links to missing pages and headings, and no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-links-'));
  writeFileSync(join(folder, 'b.md'), '# Two words, `code`\n');
  writeFileSync(
    join(folder, 'a.md'),
    '# One\n[b](b.md) [b](b.md#two-words-code) [here](#one) [web](https://example.com/x)\n',
  );
  assert.equal(brokenLinks(folder, ['a.md', 'b.md']), []);
  writeFileSync(join(folder, 'a.md'), '[c](c.md) [b](b.md#three)\n');
  assert.equal(brokenLinks(folder, ['a.md']), [
    'a.md links to c.md, which is not there',
    'a.md links to the heading #three, which b.md does not have',
  ]);
  rmSync(folder, { recursive: true });
});

links('reports comments that link to a missing name or member', () => {
  const files = (comment: string) =>
    new Map([
      ['a.ts', `/** ${comment} */\nexport class A {\n  read() {}\n}\n`],
      ['b.ts', '/** gone, taken */\nexport const B = 1;\n'],
    ]);
  assert.equal(brokenCommentLinks(files('{@link A.read}, {@link read}, {@link B}')), []);
  assert.equal(brokenCommentLinks(files('{@link gone}, {@link A.taken}')), [
    'a.ts links to gone, which is not there',
    'a.ts links to A.taken, which is not there',
  ]);
});

links('reports documents that name a missing file or folder', () => {
  const page = (text: string) => new Map([['docs/rest.md', text]]);
  const files = ['src/env.ts', 'src/kernel/clock.ts', 'rest/pulse/errors.ts'];
  const good =
    '`src/env.ts` `src/kernel/` `src/kernel` `clock.ts` `kernel/clock.ts` `rest/<module>/errors.ts` `src/*/c*.ts`';
  assert.equal(missingPaths(page(good), files), []);
  assert.equal(missingPaths(page('`dist/server` `first-run.json` `npm start` src/gone.ts'), files), []);
  assert.equal(missingPaths(page('`src/clock.ts` `lock.ts` `rest/kernel/` `src/*.tsx`'), files), [
    'docs/rest.md names src/clock.ts, which is not there',
    'docs/rest.md names lock.ts, which is not there',
    'docs/rest.md names rest/kernel/, which is not there',
    'docs/rest.md names src/*.tsx, which is not there',
  ]);
});

links('reports comments that name a missing page or heading in docs', () => {
  const docs = 'docs';
  const pages = new Map([[`${docs}/a.md`, '# One\n\n## Two words\n\n## Two\n']]);
  const faults = (words: string) => brokenMentions(new Map([['a.ts', `/** ${docs}/${words} */`]]), pages);
  for (const words of ['a.md.', 'a.md, Two words)', 'a.md, Two\n * words and One, then', 'a.md, Two; More', 'a.md, as'])
    assert.equal(faults(words), [], words);
  assert.equal(faults('b.md, One'), [`a.ts mentions ${docs}/b.md, which is not there`]);
  assert.equal(faults('a.md, Ones'), [`a.ts mentions the heading "Ones", which ${docs}/a.md does not have`]);
  assert.equal(faults('a.md, One and Three'), [`a.ts mentions the heading "Three", which ${docs}/a.md does not have`]);
});

links.run();

const lint = suite('lint rules');

function lintFaults(file: string, code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-lint-'));
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  writeFileSync(join(folder, file), code);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const result = spawnSync(process.execPath, [biome, 'lint', '--error-on-warnings', '.'], options);
  rmSync(folder, { recursive: true });
  return result.stdout + result.stderr;
}

const misdeeds: readonly [rule: string, code: string][] = [
  ['noExplicitAny', 'export const a: any = 1;\n'],
  ['noConsole', "console.log('x');\n"],
  ['noProcessEnv', 'export const a = process.env.PORT;\n'],
  ['noDefaultExport', 'export default 1;\n'],
];

for (const [rule, code] of misdeeds) {
  lint(`${rule} is enforced in src`, () => {
    assert.match(lintFaults('src/kernel/probe.ts', code), rule);
  });
}

lint('process.env may be read in env.ts', () => {
  assert.not.match(lintFaults('src/env.ts', 'export const a = process.env.PORT;\n'), 'noProcessEnv');
});

lint.run();
