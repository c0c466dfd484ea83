/**
 * `npm run pack-command`: packs the command `quarterdeck` as a tarball of its own, which needs Node and nothing else, and prints
 * where it is.
 *
 *     node .ci/pack-command.mjs [FOLDER]    dist/packages unless given
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = resolve(process.argv[2] ?? join(root, 'dist/packages'));
if (!(await build())) process.exit(1);

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-command-'));
try {
  cpSync(join(root, 'dist/src/cli'), join(folder, 'lib'), {
    recursive: true,
    filter: (path) => !/\.(?:d\.ts|map)$/.test(path),
  });
  chmodSync(join(folder, 'lib/main.js'), 0o755);
  const manifest = {
    name: 'quarterdeck-cli',
    version,
    license,
    description: 'Uploads and checks symbol files of a Quarterdeck server.',
    type: 'module',
    bin: { quarterdeck: 'lib/main.js' },
    engines: { node: '>=22.2' },
    files: ['lib'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(target, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
  process.stdout.write(`${join(target, packed.toString().trim().split('\n').at(-1))}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
