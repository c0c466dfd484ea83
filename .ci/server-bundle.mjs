/**
 * Bundles the compiled server into `dist/server`: its own code in `main.js`, with a source map, and the libraries that
 * every start needs in `libraries.js`. Otherwise a start would find, read and link three thousand modules, which takes
 * longer than everything else it does.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const out = join(dist, 'server');
const stamp = join(dist, 'server.built');
const made = ['src', 'rest'].map((folder) => join(dist, folder));

const OWN_CODE = /\/dist\/(?:src|rest)\/.*\.js$/;
/**
 * Loaded only when a setting requires them; and the PostgreSQL driver, because the torture tests hook into the server's
 * own copy.
 */
const PACKAGES = [/^@aws-sdk\//, /^@clickhouse\//, /^@opentelemetry\/(?!api$)/, 'pg'];

function isFresh() {
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  const code = made.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.js'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...code, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)].every(
    (file) => statSync(file).mtimeMs <= builtAt,
  );
}

/** Threads and pages are located relative to the compiled module, and traces lead to its source. */
const placesOfModules = {
  name: 'places of modules',
  load: {
    filter: { id: OWN_CODE },
    handler(id) {
      const place = `new URL(${JSON.stringify(relative(out, id))}, import.meta.url).href`;
      return {
        code: readFileSync(id, 'utf8').replaceAll('import.meta.url', place),
        map: readFileSync(`${id}.map`, 'utf8'),
      };
    },
  },
};

/** A source map of the libraries, ten times the server's, would be read with the first error. */
const noMapOfLibraries = {
  name: 'no map of libraries',
  generateBundle(_options, bundle) {
    delete bundle['libraries.js.map'];
    bundle['libraries.js'].code = bundle['libraries.js'].code.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
  },
};

/**
 * Bundles the compiled server if it has changed since the last time.
 * @param {{ force?: boolean }} [options]
 */
export async function bundleServer(options = {}) {
  if (!options.force && isFresh()) return;
  const startedAt = new Date();
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(dist, 'src/main.js'),
    platform: 'node',
    external: PACKAGES,
    checks: { eval: false },
    plugins: [placesOfModules, noMapOfLibraries],
  });
  rmSync(out, { recursive: true, force: true });
  await bundle.write({
    dir: out,
    // Class names are used as table and GraphQL type names.
    keepNames: true,
    sourcemap: true,
    // V8 uses one byte per character if all are ASCII, and two for every character otherwise.
    charset: 'ascii',
    comments: false,
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'libraries', test: /node_modules/ }] },
  });
  await bundle.close();
  writeFileSync(stamp, '');
  // Files compiled in the meantime are newer than the bundle.
  utimesSync(stamp, startedAt, startedAt);
}
