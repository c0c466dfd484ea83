import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const packages = (
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
).packages;

/** The first version of each package without a known advisory that affects us. */
const minimumVersions: Record<string, string> = {
  '@apollo/server': '5.5.0',
  '@mikro-orm/core': '7.1.7',
  formidable: '3.5.3',
  koa: '3.1.2',
  qs: '6.14.2',
};

const lockFile = suite('lock file');

lockFile('pins every direct dependency exactly', () => {
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(manifest[group] ?? {})) {
      assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, `${name} is not pinned: ${version}`);
      assert.is(packages[`node_modules/${name}`]?.version, version, `${name} differs in the lock file`);
    }
  }
});

lockFile('contains every optional platform package, without which npm ci refuses to install', () => {
  const missing = Object.entries(packages).flatMap(([path, locked]) =>
    Object.keys(locked.optionalDependencies ?? {}).filter((name) => path !== '' && !isLocked(path, name)),
  );
  assert.equal(missing, []);
});

lockFile('has no version older than the first one without an advisory', () => {
  for (const [path, { version, dev }] of Object.entries(packages)) {
    const minimum = minimumVersions[path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)];
    if (dev || minimum === undefined || version === undefined) continue;
    assert.ok(compareVersions(version, minimum) >= 0, `${path} is ${version}, below ${minimum}`);
  }
});

lockFile('has one copy each of graphql and pg', () => {
  for (const name of ['graphql', 'pg']) {
    const copies = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`));
    assert.equal(copies, [`node_modules/${name}`]);
  }
});

lockFile.run();

/** Whether Node would find the package from this folder upward. */
function isLocked(from: string, name: string): boolean {
  const folders = from.split('/node_modules/').map((_, at, parts) => parts.slice(0, at + 1).join('/node_modules/'));
  return [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].some(
    (path) => packages[path],
  );
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split(/[.-]/).map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
