import { readFileSync } from 'node:fs';
import { normalizeKey } from '../match-key.js';
import { convertSourceMap } from '../source-map/build-table.js';
import { readScript } from '../source-map/script-code.js';
import { isScriptName, scriptName } from '../source-map/script-path.js';
import { SymbolFileError } from '../symbol-file-error.js';
import type { ConversionInput, ConvertedFile, ConvertedTable } from './converted-file.js';

const CODE_ONLY = 'This is the script itself. Frames show its code; upload its source map to see original names.';

/** A source map, or a script without one; events refer to it by the script's path, file name or debug id. */
export function convertJsSourceMap(input: ConversionInput): ConvertedFile {
  const { debugId, ...read } = mapOrScript(input);
  const matchKey = input.matchKey || input.originalName.replace(/\.map$/i, '');
  const keys = [matchKey, scriptName(matchKey), debugId].filter((key): key is string => Boolean(key)).map(normalizeKey);
  return { matchKey, debugId, tables: [{ ...read, keys: [...new Set(keys)], arch: '', dartSections: null }] };
}

type Read = Pick<ConvertedTable, 'format' | 'detail' | 'detailReason' | 'table'> & { debugId: string | null };

function mapOrScript({ path, originalName }: ConversionInput): Read {
  const bytes = readFileSync(path);
  try {
    const { table, debugId } = convertSourceMap(bytes);
    return { format: 'source_map', detail: 'full', detailReason: null, table, debugId };
  } catch (error) {
    const isScript = error instanceof SymbolFileError && error.code === 'not_json' && isScriptName(originalName);
    if (!isScript) throw error;
    return { format: 'script', detail: 'code', detailReason: CODE_ONLY, ...readScript(bytes) };
  }
}
