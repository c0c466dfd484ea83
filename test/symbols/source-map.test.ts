import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertSourceMap } from '../../src/symbols/source-map/build-table.js';
import { sourceMapResolver } from '../../src/symbols/source-map/resolve-frame.js';
import { readScript } from '../../src/symbols/source-map/script-code.js';
import { openSourceMap } from '../../src/symbols/source-map/source-map-table.js';
import { SymbolFileError } from '../../src/symbols/symbol-file-error.js';

const x = suite('source map');

const map = (fields: object) => ({ version: 3, sources: ['a.js'], names: ['n'], mappings: 'AAAA', ...fields });
const section = (line: number, column: number, inner: object) => ({ offset: { line, column }, map: inner });
const tableOfText = (text: string) => openSourceMap(convertSourceMap(Buffer.from(text)).table);

const INVALID: Record<string, object> = {
  'no sources': { version: 3, mappings: '' },
  'version as text': map({ version: '3' }),
  'mappings as list': map({ mappings: ['AAAA'] }),
  'a number in sources': map({ sources: [1] }),
  'a number in names': map({ names: [1] }),
  'two fields': map({ mappings: 'AA' }),
  'three fields': map({ mappings: 'AAA' }),
  'six fields': map({ mappings: 'AAAAAA' }),
  'no fields': map({ mappings: 'AAAA,,CAAA' }),
  'unfinished number': map({ mappings: 'AAAg' }),
  'white space': map({ mappings: 'AAAA AAAA' }),
  'negative column': map({ mappings: 'D' }),
  'negative line': map({ mappings: 'AADA' }),
  'source out of bounds': map({ mappings: 'ACAA' }),
  'name out of bounds': map({ mappings: 'AAAAC' }),
  'more than 32 bits': map({ mappings: 'AAAggggggE' }),
  'ignoreList out of bounds': map({ ignoreList: [1] }),
  'sections and mappings': { version: 3, mappings: '', sections: [] },
  'sections out of order': { version: 3, sections: [section(1, 0, map({})), section(0, 0, map({}))] },
  'sections at one place': { version: 3, sections: [section(0, 0, map({})), section(0, 0, map({}))] },
  'a section into the next': {
    version: 3,
    sections: [section(0, 0, map({ mappings: 'AAAA;AAAA' })), section(0, 5, map({}))],
  },
  'an offset below zero': { version: 3, sections: [section(-1, 0, map({}))] },
  'a section without a map': { version: 3, sections: [{ offset: { line: 0, column: 0 }, url: 'a.map' }] },
};

for (const [name, invalid] of Object.entries(INVALID)) {
  x(`refuses ${name}`, () => {
    assert.throws(
      () => tableOfText(JSON.stringify(invalid)),
      (error: unknown) => error instanceof SymbolFileError,
    );
  });
}

x('reads sections side by side, a guarded first line, and maps without names', () => {
  const sections = [
    section(0, 0, map({ mappings: 'AAAA,EAAA' })),
    section(1, 4, map({ sources: ['b.js'], mappings: 'AAAA' })),
  ];
  const table = tableOfText(`)]}'\n${JSON.stringify({ version: 3, sections })}`);
  assert.equal(table.lookup(0, 1), { sourceIndex: 0, line: 0, column: 0, name: null });
  assert.is(table.lookup(1, 3), null);
  assert.is(table.source(table.lookup(1, 9)?.sourceIndex ?? -1), 'b.js');
  assert.is(tableOfText('{"version":3,"sources":[],"mappings":";;;"}').lookup(2, 0), null);
});

x(
  'a small map yields a small table: neither distant sections nor a long root before many sources make it large',
  () => {
    const far = [section(0, 0, map({})), section(15_999_000, 4, map({ sources: ['b.js'], mappings: ';AAAA' }))];
    const { table } = convertSourceMap(Buffer.from(JSON.stringify({ version: 3, sections: far })));
    assert.ok(table.length < 1_000, `${table.length} bytes`);
    const rooted = map({ sourceRoot: 'x'.repeat(100_000), sources: Array<string>(100).fill('a.js') });
    assert.throws(
      () => tableOfText(JSON.stringify(rooted)),
      (error: unknown) => error instanceof SymbolFileError && error.code === 'too_complex',
    );
  },
);

type Segment = [number] | [number, number, number, number] | [number, number, number, number, number];

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function vlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    text += DIGITS.charAt((rest % 32) + (rest >= 32 ? 32 : 0));
    rest = Math.floor(rest / 32);
  } while (rest > 0);
  return text;
}

function encode(lines: Segment[][]): string {
  const state = [0, 0, 0, 0, 0];
  return lines
    .map((line) => {
      state[0] = 0;
      return line
        .map((segment) =>
          segment
            .map((value, index) => {
              const step = value - (state[index] ?? 0);
              state[index] = value;
              return vlq(step);
            })
            .join(''),
        )
        .join(',');
    })
    .join(';');
}

/** The first segment at a column, or the last one before it. */
function naive(line: Segment[], column: number): Segment | undefined {
  return line.find((segment) => segment[0] === column) ?? line.filter((segment) => segment[0] < column).at(-1);
}

x('agrees with a naive search on every column of random maps', () => {
  const names = ['v', 'w', 'x', 'y', 'z'];
  for (let round = 0; round < 30; round++) {
    const lines = Array.from({ length: 6 }, () =>
      Array.from({ length: Math.floor(Math.random() * 400) }, (): Segment => {
        const column = Math.floor(Math.random() * 300);
        const place: [number, number, number] = [Math.floor(Math.random() * 3), column % 7, column % 11];
        const kind = Math.random();
        if (kind < 0.1) return [column];
        return kind < 0.5 ? [column, ...place] : [column, ...place, column % 5];
      }).sort((a, b) => a[0] - b[0]),
    );
    const plain = { version: 3, sources: ['a', 'b', 'c'], names, mappings: encode(lines) };
    const table = tableOfText(JSON.stringify(plain));
    const far = tableOfText(JSON.stringify({ version: 3, sections: [section(9_000_000, 0, plain)] }));
    assert.is(far.lookup(8_999_999, 0), null);
    for (let line = 0; line < 7; line++) {
      for (let column = 0; column < 310; column++) {
        const segment = naive(lines[line] ?? [], column);
        const want =
          segment === undefined || segment.length === 1
            ? null
            : {
                sourceIndex: segment[1],
                line: segment[2],
                column: segment[3],
                name: segment.length === 5 ? (names[segment[4]] ?? null) : null,
              };
        assert.equal(table.lookup(line, column), want);
        assert.equal(far.lookup(9_000_000 + line, column), want);
      }
    }
  }
});

x('ids may be written without dashes', () => {
  const id = 'BC8A7F9E2D2E3C4664756E2164756E21';
  const dashed = 'bc8a7f9e-2d2e-3c46-6475-6e2164756e21';
  assert.is(convertSourceMap(Buffer.from(JSON.stringify(map({ debugId: id })))).debugId, dashed);
  assert.is(readScript(Buffer.from(`go();\n//# debugId=${id}\n`)).debugId, dashed);
});

x('names functions after what they are assigned to, or otherwise as the caller calls them', () => {
  const source =
    'const api = { async load() { return 1; } };\nclass Cart { add = () => 2; get total() { return 3; } }\n';
  const table = tableOfText(
    JSON.stringify({
      version: 3,
      sources: ['a.ts', 'b.ts'],
      sourcesContent: [source, null],
      names: ['renamed'],
      mappings: 'AAA8B,CACI,CACW;ACAAA',
    }),
  );
  const resolver = sourceMapResolver(table);
  const nameAt = (column: number) => resolver.resolve({ function: 'x', line: 1, column }, null)?.function;
  assert.is(nameAt(1), 'load');
  const caller = { function: 'y', line: 2, column: 1 };
  assert.is(resolver.resolve(caller, caller)?.function, 'renamed');
  assert.is(resolver.resolve(caller, null)?.function, 'y');
});

x.run();
