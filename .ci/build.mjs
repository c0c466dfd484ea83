/**
 * Compiles src, rest and test to dist, bundles the server and builds the browser pages. Does nothing when dist is newer
 * than every source.
 *
 *     node .ci/build.mjs            compile when needed
 *     node .ci/build.mjs --force    compile always
 *
 * Output without a source is removed, so that a deleted test or migration cannot keep running.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildPages } from './browser-pages.mjs';
import { requireNode24 } from './node-version.mjs';
import { bundleServer } from './server-bundle.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const stamp = join(dist, '.built');
const sourceFolders = ['src', 'rest', 'test'];

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function sources() {
  const code = sourceFolders.flatMap((folder) => filesUnder(join(root, folder))).filter((file) => file.endsWith('.ts'));
  return [...code, join(root, 'tsconfig.json'), join(root, 'package-lock.json')];
}

function isFresh() {
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  const folders = sourceFolders.flatMap((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    const below = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [path, ...below.map((entry) => join(entry.parentPath, entry.name))];
  });
  return [...sources(), ...folders].every((file) => statSync(file).mtimeMs <= builtAt);
}

function removeOrphans() {
  for (const file of sourceFolders.flatMap((folder) => filesUnder(join(dist, folder)))) {
    const match = /^(?<stem>.+)\.(?:js|js\.map|d\.ts)$/.exec(relative(dist, file));
    if (match?.groups && !existsSync(join(root, `${match.groups.stem}.ts`))) rmSync(file);
  }
}

async function compile(force) {
  if (!force && isFresh()) return true;
  const startedAt = new Date();
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const [exitCode] = await once(
    spawn(process.execPath, [compiler, '-p', root], { cwd: root, stdio: 'inherit' }),
    'exit',
  );
  if (exitCode !== 0) return false;
  removeOrphans();
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
  return true;
}

/**
 * Compiles if something has changed since the last success.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<boolean>} whether dist now matches the sources
 */
export async function build(options = {}) {
  const server = async () => {
    if (!(await compile(options.force))) return false;
    await bundleServer(options);
    return true;
  };
  const built = await Promise.all([server(), buildPages(options)]);
  return built.every(Boolean);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  requireNode24();
  if (!(await build({ force: process.argv.includes('--force') }))) process.exit(1);
}
