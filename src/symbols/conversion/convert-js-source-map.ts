import { readFileSync } from 'node:fs';
import { normalizeKey } from '../match-key.js';
import { convertSourceMap } from '../source-map/build-table.js';
import type { ConversionInput, ConvertedFile } from './converted-file.js';

/** A source map; events name it by the script's file name or by its debug id. */
export function convertJsSourceMap(input: ConversionInput): ConvertedFile {
  const { table, debugId } = convertSourceMap(readFileSync(input.path));
  const matchKey = input.matchKey || input.originalName.replace(/\.map$/i, '');
  const keys = [matchKey, debugId].filter((key): key is string => Boolean(key)).map(normalizeKey);
  return { matchKey, tables: [{ format: 'source_map', keys, arch: '', detail: 'full', dartSections: null, table }] };
}
