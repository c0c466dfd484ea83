import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { normalizeKey } from '../match-key.js';
import { buildMappingIndex } from '../retrace/mapping-index.js';
import type { ConversionInput, ConvertedFile } from './converted-file.js';

/** A mapping file; events refer to it by the id R8 puts into source file names, by a UUID, or by release. */
export function convertMapping(input: ConversionInput): ConvertedFile {
  const { table, mapId } = buildMappingIndex(readFileSync(input.path));
  const matchKey = input.matchKey || mapId || input.release;
  const keys = [matchKey, mapId].filter((key): key is string => Boolean(key)).map(normalizeKey);
  return {
    matchKey,
    tables: [{ format: 'mapping', keys, arch: '', detail: 'full', detailReason: null, dartSections: null, table }],
  };
}

const HEAD_BYTES = 65_536;

/** `pg_map_id` from the header, or null. */
export function mappingIdIn(path: string): string | null {
  const head = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    const length = readSync(descriptor, head, 0, HEAD_BYTES, 0);
    return /^#\s*pg_map_id\s*:\s*(\S{1,256})/m.exec(head.toString('utf8', 0, length))?.[1] ?? null;
  } finally {
    closeSync(descriptor);
  }
}
