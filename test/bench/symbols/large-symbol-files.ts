import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { numbers } from '../../harness/pseudo-random.js';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += BASE64[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

const MAP_LINES = 1_840;
const LINE_SEGMENTS = 2_000;
const MAP_SOURCES = 4_000;
const SOURCE_LINES = 200;

/**
 * Writes the source map of a large bundle, about 64 MB: long lines, thousands of sources with their contents. Returns
 * its size.
 */
export function writeLargeSourceMap(path: string): number {
  const random = numbers(20_240_607);
  const names = Array.from({ length: 30_000 }, (_, index) => `identifier${index}`);
  const sources = Array.from(
    { length: MAP_SOURCES },
    (_, index) => `webpack:///./src/part${index % 97}/file${index}.ts`,
  );
  const statement = (line: number): string => `  const value${line} = compute(${random(1_000_000)}, state);\n`;
  const sourcesContent = sources.map(
    (_, index) =>
      `export function part${index}(state) {\n${Array.from({ length: SOURCE_LINES }, (_one, line) => statement(line)).join('')}}\n`,
  );
  const mappings = Array.from({ length: MAP_LINES }, () => mappingLine(random)).join(';');
  const text = JSON.stringify({ version: 3, file: 'bundle.js', sources, sourcesContent, names, mappings });
  return writeWhole(path, [text]);
}

/** One generated line. It ends where it began, so that lines can follow each other. */
function mappingLine(random: (below: number) => number): string {
  const segments: string[] = [];
  const at = { source: 0, line: 0, column: 0, name: 0 };
  const step = (source: number, line: number, column: number, name: number | null): void => {
    const moves = [1 + random(12), source - at.source, line - at.line, column - at.column];
    if (name !== null) moves.push(name - at.name);
    segments.push(moves.map(vlq).join(''));
    Object.assign(at, { source, line, column }, name === null ? {} : { name });
  };
  for (let index = 0; index < LINE_SEGMENTS; index++) {
    const moves = index % 40 === 39;
    const source = moves ? random(MAP_SOURCES) : at.source;
    const line = moves ? random(SOURCE_LINES) : Math.min(SOURCE_LINES - 1, at.line + (random(3) === 0 ? 1 : 0));
    step(source, line, random(60), random(4) === 0 ? random(30_000) : null);
  }
  step(0, 0, 0, 0);
  return segments.join(',');
}

const MAPPING_CLASSES = 25_000;
const CLASS_MEMBERS = 24;
const RETURNS = ['void', 'int', 'boolean', 'java.lang.String', 'java.util.List'];

/** The obfuscated name of the n-th class in the mapping file. */
export const residualClass = (index: number): string => `a.${index.toString(36)}`;

/**
 * Writes an R8 mapping file of about 90 MB: classes with fields, methods, inlined frames and comments. Returns its size
 * in bytes.
 */
export function writeLargeMapping(path: string): number {
  const random = numbers(20_240_607);
  const head =
    '# compiler: R8\n# compiler_version: 8.7.18\n# {"id":"com.android.tools.r8.mapping","version":"2.2"}\n# pg_map_id: 0b1c2d3\n';
  function* parts(): Generator<string> {
    yield head;
    for (let index = 0; index < MAPPING_CLASSES; index++) yield mappingClass(index, random);
  }
  return writeWhole(path, parts());
}

function mappingClass(index: number, random: (below: number) => number): string {
  const name = `com.example.application.feature${index % 211}.implementation.Component${index}`;
  const lines = [`${name} -> ${residualClass(index)}:`, `# {"id":"sourceFile","fileName":"Component${index}.kt"}`];
  for (let member = 0; member < 6; member++)
    lines.push(`    ${RETURNS[random(5)]} field${member}Of${index % 97} -> ${'abcdef'[member]}`);
  let at = 1;
  for (let member = 0; member < CLASS_MEMBERS; member++) {
    const line = 10 + random(400);
    const last = at + 1 + random(5);
    const residual = member.toString(36);
    const signature = `${RETURNS[random(5)]} handleEvent${member}(java.lang.String,int,com.example.application.feature${random(211)}.Model)`;
    if (member % 3 === 0)
      lines.push(
        `    ${at}:${last}:void com.example.application.base.Checks.requireThat(boolean):${line}:${line + last - at} -> ${residual}`,
      );
    lines.push(`    ${at}:${last}:${signature}:${line}:${line + last - at} -> ${residual}`);
    at = last + 1;
  }
  return `${lines.join('\n')}\n`;
}

function writeWhole(path: string, parts: Iterable<string>): number {
  const file = openSync(path, 'w');
  try {
    for (const part of parts) writeSync(file, part);
  } finally {
    closeSync(file);
  }
  return statSync(path).size;
}
