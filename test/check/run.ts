/**
 * `npm run check`: every automatic check of the code, one line per step. The build beforehand has already checked the
 * types. To run only some steps, name them: `npm run check -- imports names`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brokenCommentLinks, brokenMentions } from './comment-links.js';
import { brokenLinks, missingPaths } from './document-links.js';
import { drawingFaults } from './drawing.js';
import { fileFaults, folderFaults } from './file-rules.js';
import { floorsFromTheTop, importFaults, roomFaults } from './import-rules.js';
import { importEdges } from './module-graph.js';
import { schemaFaults } from './schema-changes.js';
import { withSettings } from './settings-table.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

const biome = 'node_modules/@biomejs/biome/bin/biome';

interface Step {
  name: string;
  /** The problems, one per line; empty when there are none. */
  faults(): string[] | Promise<string[]>;
}

/** Every file in the folders where a newcomer looks for things. */
function allFiles(): string[] {
  return ['src', 'rest', 'test', 'docs', '.ci']
    .flatMap((folder) => {
      try {
        return readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
      } catch {
        return [];
      }
    })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

const sourceFiles = (): string[] => allFiles().filter((file) => /^(?:src|rest|test)\/.*\.tsx?$/.test(file));

function foldersIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}

function documents(): string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    'README.md',
    'src/symbols/README.md',
    'src/targeting/README.md',
    ...pages.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
}

const textsOf = (files: readonly string[]): Map<string, string> =>
  new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

function tool(script: string, ...args: string[]): string[] {
  const result = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, encoding: 'utf8' });
  if (result.status === 0) return [];
  return [
    `${result.stdout ?? ''}${result.stderr ?? ''}`.trim() || `${script} ended with ${result.status ?? result.signal}`,
  ];
}

function settingsFaults(): string[] {
  const file = join(root, 'docs/operations.md');
  const page = readFileSync(file, 'utf8');
  const fresh = withSettings(page, readFileSync(join(root, 'src/env.ts'), 'utf8'));
  if (fresh === page) return [];
  if (!process.argv.includes('--write'))
    return ['docs/operations.md is behind src/env.ts: npm run check -- settings --write'];
  writeFileSync(file, fresh);
  return [];
}

const steps: readonly Step[] = [
  { name: 'types', faults: () => tool('.ci/build.mjs') },
  {
    name: 'types of browser code',
    faults: () => tool('node_modules/typescript/bin/tsc', '-p', '.ci/tsconfig.browser.json'),
  },
  { name: 'format', faults: () => tool(biome, 'format', '--reporter=summary', '.') },
  { name: 'lint', faults: () => tool(biome, 'check', '--formatter-enabled=false', '--error-on-warnings', '.') },
  {
    name: 'imports',
    faults: () => {
      const edges = importEdges(root, sourceFiles());
      return [...importFaults(edges), ...roomFaults(edges)];
    },
  },
  {
    name: 'names and lengths',
    faults: () => [
      ...sourceFiles().flatMap((file) => fileFaults(file, readFileSync(join(root, file), 'utf8'))),
      ...folderFaults(allFiles()),
    ],
  },
  {
    name: 'drawing of the architecture',
    faults: () =>
      drawingFaults(readFileSync(join(root, 'docs/CONTRIBUTING.md'), 'utf8'), floorsFromTheTop, [
        ...foldersIn('src'),
        ...foldersIn('src/modules'),
      ]),
  },
  { name: 'settings in docs/operations.md', faults: settingsFaults },
  {
    name: 'links in documents',
    faults: () => [...brokenLinks(root, documents()), ...missingPaths(textsOf(documents()), allFiles())],
  },
  {
    name: 'links in comments',
    faults: () => {
      const files = textsOf(sourceFiles());
      return [...brokenCommentLinks(files), ...brokenMentions(files, textsOf(documents()))];
    },
  },
  {
    name: 'changes of the GraphQL schema',
    faults: () => {
      const read = (file: string) => readFileSync(join(root, file), 'utf8');
      const { version } = JSON.parse(read('package.json')) as { version: string };
      return schemaFaults({
        released: read('docs/released-schema.graphql'),
        current: read('schema.graphql'),
        version,
        meant: read('docs/breaking-changes.md'),
      });
    },
  },
  { name: 'dead code', faults: () => tool('node_modules/knip/bin/knip.js', '--no-progress') },
];

async function faultsOf(step: Step): Promise<string[]> {
  try {
    return await step.faults();
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((word) => !steps.some(({ name }) => name.includes(word)));
if (unknown.length > 0) {
  process.stdout.write(
    `No step is called ${unknown.join(' or ')}; there are: ${steps.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(1);
}
let passed = 0;
let failed = 0;
for (const step of steps) {
  if (wanted.length > 0 && !wanted.some((word) => step.name.includes(word))) continue;
  const startedAt = performance.now();
  const faults = await faultsOf(step);
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  process.stdout.write(`${faults.length === 0 ? '•' : '✘'} ${step.name} (${took})\n`);
  for (const fault of faults) process.stdout.write(`    ${fault.replaceAll('\n', '\n    ')}\n`);
  if (faults.length === 0) passed += 1;
  else failed += 1;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
