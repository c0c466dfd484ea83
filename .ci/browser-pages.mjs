/**
 * Builds the browser pages, each from `src/NAME/index.html` to `dist/browser/NAME`, with hashed asset names and Brotli
 * and gzip copies of compressible files.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { writeDocuments } from './console-documents.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Few files, because a browser opens six connections at once: code for the first page, code that many pages share, and
 * code that some share.
 */
const CONSOLE_CHUNKS = {
  groups: [
    { name: 'first', tags: ['$initial'], priority: 3 },
    { name: 'parts', minShareCount: 8, priority: 2 },
    { name: 'forms', minShareCount: 3, priority: 1 },
  ],
};

/** Each page with its URL and its source folders in `src`. */
const PAGES = [
  { name: 'playground', base: '/playground/', made: ['playground'] },
  { name: 'demo', base: '/demo/', made: ['demo', 'sdk'] },
  {
    name: 'console',
    base: '/',
    made: ['console', 'sdk', '../schema.graphql', '../.ci/console-documents.mjs'],
    prepare: writeDocuments,
    chunks: CONSOLE_CHUNKS,
  },
];

const COMPRESSIBLE = /\.(?:js|css|html|svg|json|ttf)$/;
const SMALLEST_WORTH_IT = 1024;

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function isFresh(page, stamp) {
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  const entries = page.made.flatMap((source) => {
    const path = join(root, 'src', source);
    if (statSync(path).isFile()) return [path];
    return [
      path,
      ...readdirSync(path, { recursive: true, withFileTypes: true }).map((entry) => join(entry.parentPath, entry.name)),
    ];
  });
  return [...entries, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)].every(
    (entry) => statSync(entry).mtimeMs <= builtAt,
  );
}

async function compress(file) {
  const bytes = readFileSync(file);
  if (!COMPRESSIBLE.test(file) || bytes.length < SMALLEST_WORTH_IT) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [small, fallback] = await Promise.all([promisify(brotliCompress)(bytes, { params }), promisify(gzip)(bytes)]);
  writeFileSync(`${file}.br`, small);
  writeFileSync(`${file}.gz`, fallback);
}

async function buildPage(page, out) {
  const { build } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  rmSync(out, { recursive: true, force: true });
  await page.prepare?.();
  await build({
    root: join(root, 'src', page.name),
    base: page.base,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    worker: { format: 'es' },
    // A data URI would need an exception in the page's content security policy.
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      manifest: true,
      chunkSizeWarningLimit: 8000,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { moduleLevelDirective: false, pluginTimings: false },
        output: { codeSplitting: page.chunks ?? true },
      },
    },
  });
  await Promise.all(filesUnder(out).map(compress));
}

/**
 * Builds the pages whose sources changed since their last build.
 * @param {{ force?: boolean }} [options]
 * @returns {Promise<boolean>} whether dist/browser now matches the sources
 */
export async function buildPages(options = {}) {
  for (const page of PAGES) {
    const out = join(root, 'dist/browser', page.name);
    const stamp = `${out}.built`;
    if (!options.force && isFresh(page, stamp)) continue;
    const startedAt = new Date();
    try {
      await buildPage(page, out);
    } catch (error) {
      process.stderr.write(`${page.name}: ${error instanceof Error ? error.message : String(error)}\n`);
      return false;
    }
    writeFileSync(stamp, `${startedAt.toISOString()}\n`);
  }
  return true;
}
