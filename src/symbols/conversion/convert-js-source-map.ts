import { readFileSync } from 'node:fs';
import { normalizeKey } from '../match-key.js';
import { convertSourceMap } from '../source-map/build-table.js';
import { scriptName } from '../source-map/script-path.js';
import type { ConversionInput, ConvertedFile } from './converted-file.js';

/** A source map; events name it by the script's path or file name, or by its debug id. */
export function convertJsSourceMap(input: ConversionInput): ConvertedFile {
  const { table, debugId } = convertSourceMap(readFileSync(input.path));
  const matchKey = input.matchKey || input.originalName.replace(/\.map$/i, '');
  const keys = [matchKey, scriptName(matchKey), debugId].filter((key): key is string => Boolean(key)).map(normalizeKey);
  const distinct = [...new Set(keys)];
  return {
    matchKey,
    tables: [
      { format: 'source_map', keys: distinct, arch: '', detail: 'full', detailReason: null, dartSections: null, table },
    ],
  };
}
