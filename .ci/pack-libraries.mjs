/**
 * Packs the SDKs: for each one a folder, and a tarball that installs without a registry.
 *
 *     node .ci/pack-libraries.mjs            into dist/libraries
 *     node .ci/pack-libraries.mjs FOLDER     into another folder, which is emptied
 *     node .ci/pack-libraries.mjs FOLDER browser node          only these
 *     node .ci/pack-libraries.mjs --bundle FOLDER browser      only the scripts of these, without their types, and no tarball
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Each library with its entry file, the `src` folders whose types it exposes, and the chapters of docs/sdk.md that form
 * its README.
 */
const LIBRARIES = [
  {
    name: 'browser',
    description: 'Flags, config, events, crashes and surveys of Quarterdeck in a browser.',
    entry: 'sdk/browser/quarterdeck',
    chapters: ['Browser', 'Types'],
    folders: ['sdk/core', 'sdk/browser', 'sdk/widget'],
    settings: '.ci/tsconfig.browser.json',
    types: [],
  },
  {
    name: 'node',
    description: 'Flags and config of Quarterdeck decided in a Node process, events and crashes.',
    entry: 'sdk/node/quarterdeck',
    chapters: ['Node', 'Types'],
    folders: ['sdk/core', 'sdk/node', 'targeting'],
    settings: 'tsconfig.json',
    types: ['node'],
    engines: { node: '>=20.12' },
  },
  {
    name: 'openfeature-server',
    description: 'OpenFeature provider of @quarterdeck/node.',
    entry: 'sdk/openfeature/server-provider',
    chapters: ['OpenFeature'],
    folders: ['sdk/core', 'sdk/node', 'sdk/openfeature', 'targeting'],
    settings: 'tsconfig.json',
    types: ['node'],
    engines: { node: '>=20.12' },
    peerDependencies: { '@openfeature/server-sdk': '^1.23.0', '@quarterdeck/node': version },
  },
  {
    name: 'openfeature-web',
    description: 'OpenFeature provider of @quarterdeck/browser.',
    entry: 'sdk/openfeature/web-provider',
    chapters: ['OpenFeature'],
    folders: ['sdk/core', 'sdk/openfeature/web-provider.ts'],
    settings: '.ci/tsconfig.browser.json',
    types: [],
    peerDependencies: { '@openfeature/web-sdk': '^1.10.0', '@quarterdeck/browser': version },
  },
  {
    name: 'react',
    description: 'React hooks and surveys of @quarterdeck/browser.',
    entry: 'sdk/react/react',
    // Hooks and contexts are of no use in server components, which may import the package all the same.
    banner: "'use client';",
    chapters: ['React', 'Types'],
    folders: ['sdk/core', 'sdk/react'],
    settings: '.ci/tsconfig.browser.json',
    types: [],
    peerDependencies: { react: '>=18', '@quarterdeck/browser': version },
  },
];

async function bundle({ name, entry, banner }, folder) {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // As in the server's tsconfig.json: declared fields emit no code.
    oxc: { assumptions: { setPublicClassFields: true }, typescript: { removeClassFieldsWithoutInitializer: true } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      minify: true,
      sourcemap: true,
      reportCompressedSize: false,
      lib: { entry: { [name]: join(root, 'src', `${entry}.ts`) }, formats: ['es'] },
      rolldownOptions: {
        external: [/^node:/, /^@openfeature\//, 'react'],
        preserveEntrySignatures: 'allow-extension',
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        output: { banner, minify: true, comments: false, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
}

function declare({ folders, settings, types }, folder) {
  const config = join(folder, 'tsconfig.types.json');
  const options = {
    extends: join(root, settings),
    compilerOptions: {
      noEmit: false,
      incremental: false,
      tsBuildInfoFile: null,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, 'src'),
      outDir: join(folder, 'types'),
      typeRoots: [join(root, 'node_modules/@types')],
      types,
    },
    include: folders.map((each) => join(root, 'src', each)),
    exclude: [],
  };
  writeFileSync(config, JSON.stringify(options));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'inherit' });
  rmSync(config);
}

function manifest({ name, description, entry, engines, peerDependencies }) {
  return {
    name: `@quarterdeck/${name}`,
    version,
    description,
    license,
    ...(engines && { engines }),
    ...(peerDependencies && { peerDependencies }),
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: `./types/${entry}.d.ts`, default: `./${name}.js` },
      './package.json': './package.json',
    },
    // Parcel reads no `exports` unless told to.
    main: `./${name}.js`,
    types: `./types/${entry}.d.ts`,
    files: ['*.js', '*.js.map', 'types', 'README.md'],
  };
}

/**
 * A library's README from the project's docs. Links out of them would be broken in a package, so they are replaced by
 * their text and target.
 */
function readme({ name, description, chapters }) {
  const text = readFileSync(join(root, 'docs/sdk.md'), 'utf8');
  const parts = chapters.map((chapter) => {
    const [, part] = text.split(`\n## ${chapter}\n`);
    if (part === undefined) throw new Error(`docs/sdk.md has no chapter "${chapter}".`);
    return `## ${chapter}\n${part.split('\n## ')[0]}`;
  });
  const headings = new Set(
    Array.from(parts.join('\n').matchAll(/^##+ (.+)$/gm), ([, words]) => words.toLowerCase().replaceAll(' ', '-')),
  );
  const body = parts.join('\n').replace(/\[([^\]]+)\]\(([^)#]*)(#[^)]*)?\)/g, (link, words, file, anchor) => {
    if (file !== '') return /^https?:/.test(file) ? link : `${words} (docs/${file} of Quarterdeck)`;
    return headings.has(anchor.slice(1)) ? link : words;
  });
  return `# @quarterdeck/${name}\n\n${description} Version ${version} of the library is made for servers of the same version or later.\n\n${body}`;
}

/**
 * Builds and packs libraries.
 * @param {string} out folder that is emptied first
 * @param {{ names?: string[], isOnlyBundled?: boolean }} [options] which libraries (default: all); whether to build
 * only the scripts
 * @returns {Promise<string[]>} paths of the tarballs
 */
export async function packLibraries(out, { names = LIBRARIES.map(({ name }) => name), isOnlyBundled = false } = {}) {
  rmSync(out, { recursive: true, force: true });
  const tarballs = [];
  for (const library of LIBRARIES.filter(({ name }) => names.includes(name))) {
    const folder = join(out, library.name);
    mkdirSync(folder, { recursive: true });
    await bundle(library, folder);
    if (isOnlyBundled) continue;
    declare(library, folder);
    writeFileSync(join(folder, 'README.md'), readme(library));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(library), null, 2)}\n`);
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', out], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    tarballs.push(join(out, packed.filename));
  }
  return tarballs;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const words = process.argv.slice(2);
  const isOnlyBundled = words[0] === '--bundle';
  const [out = join(root, 'dist/libraries'), ...names] = isOnlyBundled ? words.slice(1) : words;
  for (const tarball of await packLibraries(resolve(out), { isOnlyBundled, ...(names.length > 0 && { names }) }))
    process.stdout.write(`${tarball}\n`);
}
