/**
 * `npm run pack-command`: bundles the `quarterdeck` command into its own tarball, which needs only Node, and prints its
 * path.
 *
 *     node .ci/pack-command.mjs [FOLDER]    default: dist/packages
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { build } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The bundled libraries, whose licenses are included. */
const BUNDLED = ['yazl', 'yauzl', 'buffer-crc32', 'pend', 'ignore'];
const target = resolve(process.argv[2] ?? join(root, 'dist/packages'));
if (!(await build())) process.exit(1);

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-command-'));
try {
  const bundle = await rolldown({ input: join(root, 'dist/src/cli/main.js'), platform: 'node' });
  await bundle.write({ dir: join(folder, 'lib'), chunkFileNames: '[name].js' });
  await bundle.close();
  const licenses = BUNDLED.map((name) => {
    const library = join(root, 'node_modules', name);
    const file = readdirSync(library).find((each) => each.startsWith('LICENSE'));
    return `${name}\n\n${readFileSync(join(library, file), 'utf8')}`;
  });
  writeFileSync(join(folder, 'LICENSES.txt'), licenses.join('\n\n'));
  chmodSync(join(folder, 'lib/main.js'), 0o755);
  const manifest = {
    name: 'quarterdeck-cli',
    version,
    license,
    description:
      'Uploads and checks symbol files of a Quarterdeck server, and writes the types of its flags and config.',
    type: 'module',
    bin: { quarterdeck: 'lib/main.js' },
    engines: { node: '>=22.2' },
    files: ['lib', 'LICENSES.txt'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(target, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', target], { cwd: folder });
  process.stdout.write(`${join(target, packed.toString().trim().split('\n').at(-1))}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
