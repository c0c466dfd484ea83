export interface ForeignFile {
  what: string;
  /** The compression that the command can undo. */
  packedBy?: 'gzip' | 'zstd';
  /** It contains symbols, so it is reported wherever it is found. */
  hasSymbols?: true;
}

const UNPACK = 'unpack it and pass the folder';
const BREAKPAD = 'convert it with dump_syms and upload the .sym file';

/** By magic bytes at the start, or at the offset in the last column. */
const KINDS: readonly (readonly [magic: string, file: ForeignFile, at?: number])[] = [
  ['1f8b', { what: 'gzip file', packedBy: 'gzip' }],
  ['28b52ffd', { what: 'zstd file', packedBy: 'zstd' }],
  ['7573746172', { what: `tar archive: ${UNPACK}` }, 257],
  ['fd377a585a00', { what: `xz file: ${UNPACK}` }],
  ['425a68', { what: `bzip2 file: ${UNPACK}` }],
  ['377abcaf271c', { what: `7z archive: ${UNPACK}` }],
  ['4d6963726f736f667420432f432b2b204d5346', { what: `Windows PDB, not supported: ${BREAKPAD}`, hasSymbols: true }],
  ['42534a42', { what: '.NET portable PDB, not supported', hasSymbols: true }],
  ['7f454c460102', { what: 'big-endian ELF file, not supported' }],
  ['7f454c460202', { what: 'big-endian ELF file, not supported' }],
  ['4d5a', { what: `Windows program, its symbols are in its PDB: ${BREAKPAD}` }],
  ['213c617263683e0a', { what: 'static library: upload the program or library it is linked into' }],
  ['c61fbc03c103191f', { what: 'Hermes bytecode, not supported: upload the source map made by Metro and hermesc' }],
  ['cafebabe', { what: 'Java class: upload the mapping.txt from R8 or ProGuard' }],
];

/** Recognizes a file of an unsupported kind; null when it is unknown. */
export function foreignFile(head: Buffer): ForeignFile | null {
  const found = KINDS.find(([magic, , at = 0]) => head.subarray(at, at + magic.length / 2).toString('hex') === magic);
  return found?.[1] ?? null;
}
