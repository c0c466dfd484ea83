/** A file of another kind, and what to do about it. */
export interface ForeignFile {
  what: string;
  /** How the command unpacks it. */
  packedBy?: 'gzip' | 'zstd';
  /** It holds symbols, so it is reported wherever it lies. */
  hasSymbols?: true;
}

const UNPACK = 'unpack it, and name the folder';
const BREAKPAD = 'make a Breakpad file of it with dump_syms, and upload the .sym';

/** By the bytes at the beginning, or where the last column says. */
const KINDS: readonly (readonly [magic: string, file: ForeignFile, at?: number])[] = [
  ['1f8b', { what: 'file that gzip packed', packedBy: 'gzip' }],
  ['28b52ffd', { what: 'file that zstd packed', packedBy: 'zstd' }],
  ['7573746172', { what: `tar archive: ${UNPACK}` }, 257],
  ['fd377a585a00', { what: `file that xz packed: ${UNPACK}` }],
  ['425a68', { what: `file that bzip2 packed: ${UNPACK}` }],
  ['377abcaf271c', { what: `7z archive: ${UNPACK}` }],
  [
    '4d6963726f736f667420432f432b2b204d5346',
    { what: `PDB of Windows, which is not read: ${BREAKPAD}`, hasSymbols: true },
  ],
  ['42534a42', { what: 'portable PDB of .NET, which is not read', hasSymbols: true }],
  ['4d5a', { what: `Windows program, whose symbols are in its PDB: ${BREAKPAD}` }],
  ['213c617263683e0a', { what: 'static library: upload the program or library that it is linked into' }],
  ['c61fbc03c103191f', { what: 'Hermes bytecode, which is not read: upload the map that Metro and hermesc made' }],
  ['cafebabe', { what: 'Java class: upload the mapping.txt of R8 or ProGuard' }],
];

/** What a file is that is none of ours; null when that is not known either. */
export function foreignFile(head: Buffer): ForeignFile | null {
  const found = KINDS.find(([magic, , at = 0]) => head.subarray(at, at + magic.length / 2).toString('hex') === magic);
  return found?.[1] ?? null;
}
