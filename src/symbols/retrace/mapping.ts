import { SymbolFileError } from '../symbol-file-error.js';
import { type ClassMapping, parseClassMapping } from './class-mapping.js';
import { CLASS_WORDS, MAPPING_HEAD_WORDS, MAPPING_TABLE_MAGIC, SOURCE_WORDS } from './mapping-index.js';
import { hashBytes } from './name-hash.js';

export interface Mapping {
  /** The class with this obfuscated name, or null. */
  classByResidual(name: string): ClassMapping | null;
  /** `sourceFile` of the class with this original name, or null. */
  sourceFileOf(original: string): string | null;
}

/** Number of parsed classes to keep; a crash touches some dozens. */
const CACHED_CLASSES = 512;

/** Opens a table from `buildMappingIndex`. Blocks are parsed on first use. */
export function openMapping(table: Uint8Array): Mapping {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  if (table.byteLength < MAPPING_HEAD_WORDS * 4 || view.getUint32(0, true) !== MAPPING_TABLE_MAGIC)
    throw new SymbolFileError('corrupt_table', 'The stored table is not a mapping table.');
  const classes = view.getUint32(4, true);
  const sources = view.getUint32(8, true);
  const sourcesAt = MAPPING_HEAD_WORDS + classes * CLASS_WORDS;
  const text = Buffer.from(table.buffer, table.byteOffset, table.byteLength).subarray(
    (sourcesAt + sources * SOURCE_WORDS) * 4,
  );
  const word = (index: number): number => view.getUint32(index * 4, true);
  const cache = new Map<string, ClassMapping | null>();

  const findClass = (name: string): ClassMapping | null => {
    const hash = hashBytes(Buffer.from(name));
    let best: ClassMapping | null = null;
    for (const at of rowsWithHash(word, MAPPING_HEAD_WORDS, CLASS_WORDS, classes, hash)) {
      const block = text.toString('utf8', word(at + 1), word(at + 2));
      const mapping = parseClassMapping(block, word(at + 3));
      if (mapping?.residual !== name) continue;
      if (best === null || best.methods.size === 0) best = mapping;
    }
    return best;
  };

  return {
    classByResidual(name) {
      const known = cache.get(name);
      if (known !== undefined) return known;
      if (cache.size >= CACHED_CLASSES) cache.clear();
      const mapping = findClass(name);
      cache.set(name, mapping);
      return mapping;
    },
    sourceFileOf(original) {
      const hash = hashBytes(Buffer.from(original));
      for (const at of rowsWithHash(word, sourcesAt, SOURCE_WORDS, sources, hash)) {
        const mapping = parseClassMapping(text.toString('utf8', word(at + 1), word(at + 2)), 0);
        if (mapping?.original === original && mapping.sourceFile !== null) return mapping.sourceFile;
      }
      return null;
    },
  };
}

/** Start words of the rows whose first word is `hash`; the rows are sorted by it. */
function* rowsWithHash(
  word: (index: number) => number,
  base: number,
  width: number,
  count: number,
  hash: number,
): Generator<number> {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (word(base + middle * width) < hash) low = middle + 1;
    else high = middle;
  }
  for (; low < count && word(base + low * width) === hash; low++) yield base + low * width;
}
