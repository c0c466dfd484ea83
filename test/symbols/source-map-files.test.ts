import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertSourceMap } from '../../src/symbols/source-map/build-table.js';
import { sourceMapResolver } from '../../src/symbols/source-map/resolve-frame.js';
import { openSourceMap } from '../../src/symbols/source-map/source-map-table.js';

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'symbols', 'javascript', 'built');

/**
 * A position in the bundle and what trace-mapping finds there. All numbers are from 0, and nothing follows the column
 * if it finds nothing.
 */
type Answer = [
  line: number,
  column: number,
  source?: number,
  sourceLine?: number,
  sourceColumn?: number,
  name?: number,
];

interface Answers {
  sources: (string | null)[];
  names: string[];
  positions: Answer[];
}

/** A frame as V8 prints it. */
interface V8Frame {
  function: string | null;
  file: string;
  line: number;
  column: number;
}

/** By bundle, by failure; `sources` has what the unbundled program prints. */
type Stacks = Record<string, Record<string, V8Frame[]>>;

const x = suite('source maps of our own');

function read<T>(name: string): T {
  return JSON.parse(gunzipSync(readFileSync(join(FOLDER, `${name}.gz`))).toString()) as T;
}

function tableOf(bundle: string) {
  return openSourceMap(convertSourceMap(gunzipSync(readFileSync(join(FOLDER, `${bundle}.js.map.gz`)))).table);
}

const bundles = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.js.map.gz'))
  .map((name) => name.slice(0, -'.js.map.gz'.length));
const { sources: truth = {}, ...stacks } = read<Stacks>('stacks.json');
const ourFiles = new Set(Object.values(truth).flatMap((frames) => frames.map(({ file }) => file)));
let asked = 0;

for (const bundle of bundles) {
  x(`${bundle}: source, line, column and name of every position match trace-mapping`, () => {
    const { sources, names, positions } = read<Answers>(`${bundle}.answers.json`);
    const table = tableOf(bundle);
    for (const [line, column, source, sourceLine, sourceColumn, name] of positions) {
      const found = table.lookup(line, column);
      assert.equal(
        found && [table.source(found.sourceIndex), found.line, found.column, found.name],
        source === undefined ? null : [sources[source], sourceLine, sourceColumn, names[name ?? -1] ?? null],
        `${line}:${column}`,
      );
    }
    asked += positions.length;
  });
}

/** Terser merges two lines here and maps the second to the first. */
const TERSER = ['rollup-terser', 'terser', 'webpack', 'metro'];
const DRAWN_TOGETHER: Record<string, string> = { 'cart.ts:39': 'cart.ts:40', 'main.js:20': 'main.js:21' };

/** Without the text of the sources, functions have no names of their own. */
const NAMELESS = ['esbuild-old'];

/**
 * Metro turns async functions into generators and adds its own frames below them, so only the frames above can be
 * compared.
 */
const GENERATORS = ['metro'];
const ASYNC = /^(?:async )?(?:fail|checkout)$/;

for (const [bundle, failures] of Object.entries(stacks)) {
  x(`${bundle}: the stacks of a running program become those of its sources`, () => {
    const resolver = sourceMapResolver(tableOf(bundle));
    assert.equal(Object.keys(failures).sort(), Object.keys(truth).sort());
    for (const [failure, frames] of Object.entries(failures)) {
      const resolved = frames.flatMap((frame, at) => {
        const { function: name = null, file = null, line = 0 } = resolver.resolve(frame, frames[at + 1] ?? null) ?? {};
        const place = `${file?.split('/').at(-1)}:${line}`;
        if (!ourFiles.has(file?.split('/').at(-1) ?? '')) return [];
        return [{ name, place: TERSER.includes(bundle) ? (DRAWN_TOGETHER[place] ?? place) : place }];
      });
      const printed = comparable(bundle, truth[failure] ?? []);
      if (GENERATORS.includes(bundle)) resolved.length = Math.min(resolved.length, printed.length);
      assert.equal(
        resolved.map(({ place }) => place),
        printed.map(({ file, line }) => `${file}:${line}`),
        failure,
      );
      if (!NAMELESS.includes(bundle))
        for (const [at, { name }] of resolved.entries())
          assert.ok(namesAgree(name, printed[at]?.function ?? null), `${failure} ${at}: ${name}`);
    }
  });
}

x('every bundle was compared', () => {
  assert.is(bundles.length, 11);
  assert.is(Object.keys(stacks).length, 8);
  console.log(`  all ${asked} positions of ${bundles.length} maps agree`);
});

x.run();

function comparable(bundle: string, frames: readonly V8Frame[]): readonly V8Frame[] {
  if (!GENERATORS.includes(bundle)) return frames;
  const first = frames.findIndex((frame) => ASYNC.test(frame.function ?? ''));
  return first === -1 ? frames : frames.slice(0, first + 1);
}

/** V8 reports `get sum`, `#full` and `Object.of` where we report `Cart.sum`, `Cart.#full` and `receipt.of`. */
function namesAgree(got: string | null, printed: string | null): boolean {
  if (printed === null) return got === null;
  const name = printed.replace(/^(?:async |get |Object\.)+/, '');
  return got === name || (got?.endsWith(`.${name}`) ?? false);
}
