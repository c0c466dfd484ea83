/**
 * Reads one symbol file in a separate process, as the product or its peer does, and prints the cost as JSON:
 *
 *     node reader-process.js convert-source-map|trace-mapping|index-mapping|parse-mapping FILE [TABLE]
 *     → {"seconds":…, "cpuSeconds":…, "rssMiB":…}
 *
 * `seconds` includes reading the file. With TABLE, the product's table is written to that file afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { FlattenMap, traceSegment } from '@jridgewell/trace-mapping';
import { parseClassMapping } from '../../../src/symbols/retrace/class-mapping.js';
import { buildMappingIndex } from '../../../src/symbols/retrace/mapping-index.js';
import { convertSourceMap } from '../../../src/symbols/source-map/build-table.js';

const READERS: Record<string, (file: string) => unknown> = {
  'convert-source-map': (file) => convertSourceMap(readFileSync(file)).table,
  'trace-mapping': (file) => {
    const map = FlattenMap(JSON.parse(readFileSync(file, 'utf8')), '');
    traceSegment(map, 10, 100);
    return map;
  },
  'index-mapping': (file) => buildMappingIndex(readFileSync(file)).table,
  'parse-mapping': (file) => parseWhole(readFileSync(file)),
};

/** Parses every class with its members using the product's own parser, as a reader without an index would. */
function parseWhole(bytes: Buffer): Map<string, unknown> {
  const classes = new Map<string, unknown>();
  for (const block of bytes.toString('utf8').split(/\n(?=[^\s#])/)) {
    const mapping = parseClassMapping(block, 2);
    if (mapping !== null) classes.set(mapping.residual, mapping);
  }
  return classes;
}

const [reader = '', file = '', table] = process.argv.slice(2);
const read = READERS[reader];
if (read === undefined) throw new Error(`there is no reader ${reader}`);
const started = performance.now();
const result = read(file);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage();
if (table && result instanceof Uint8Array) writeFileSync(table, result);
process.stdout.write(
  JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, rssMiB: process.resourceUsage().maxRSS / 1024 }),
);
