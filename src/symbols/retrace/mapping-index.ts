import { SymbolFileError } from '../symbol-file-error.js';
import { type MappingVersion, readMappingVersion } from './mapping-comment.js';
import { hashBytes } from './name-hash.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;
const COLON = 0x3a;
const MAX_CLASS_LINE = 65_536;
const LONGEST_EMPTY = 65_536;

/** First word of a mapping table; see `buildMappingIndex` for the layout. */
export const MAPPING_TABLE_MAGIC = 0x31_50_4d_51;
/** Words of the header: magic, classes, source files, length of the mapping file. */
export const MAPPING_HEAD_WORDS = 4;
/** Words per class: hash of the obfuscated name, start and end of its block, format version. */
export const CLASS_WORDS = 4;
/** Words per source file: hash of the original class name, start and end of its class's block. */
export const SOURCE_WORDS = 3;

export interface ConvertedMapping {
  table: Uint8Array;
  /** `pg_map_id` from the header, or null. */
  mapId: string | null;
  classes: number;
}

interface Block {
  hash: number;
  originalHash: number;
  start: number;
  end: number;
  version: MappingVersion;
  hasSourceFile: boolean;
}

/**
 * Indexes the class blocks of a ProGuard or R8 mapping file without parsing their members.
 *
 * The table is a header of 32-bit words, the classes sorted by the hash of their obfuscated name, the classes with a
 * `sourceFile` comment sorted by the hash of their original name, and the file itself. Blocks are parsed on demand.
 *
 * A build that renames nothing produces only comments or an empty file, which also counts as a mapping.
 *
 * @throws SymbolFileError `not_a_mapping` when the file contains text but no class
 */
export function buildMappingIndex(file: Uint8Array): ConvertedMapping {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const { blocks, mapId } = scan(bytes);
  if (blocks.length === 0 && !isEmpty(bytes))
    throw new SymbolFileError('not_a_mapping', 'The file has no line of the form "original.Class -> a:".');
  const sources = blocks.filter((block) => block.hasSourceFile).sort((a, b) => a.originalHash - b.originalHash);
  blocks.sort((a, b) => a.hash - b.hash || a.start - b.start);
  const words = MAPPING_HEAD_WORDS + blocks.length * CLASS_WORDS + sources.length * SOURCE_WORDS;
  const table = Buffer.allocUnsafe(words * 4 + bytes.length);
  const head = new Uint32Array(words);
  head.set([MAPPING_TABLE_MAGIC, blocks.length, sources.length, bytes.length]);
  let at = MAPPING_HEAD_WORDS;
  for (const block of blocks) {
    head.set([block.hash, block.start, block.end, block.version], at);
    at += CLASS_WORDS;
  }
  for (const source of sources) {
    head.set([source.originalHash, source.start, source.end], at);
    at += SOURCE_WORDS;
  }
  table.set(new Uint8Array(head.buffer), 0);
  table.set(bytes, words * 4);
  return { table, mapId, classes: blocks.length };
}

/** Whether a small file contains only blank lines and comments. */
function isEmpty(bytes: Buffer): boolean {
  const lines = bytes.length > LONGEST_EMPTY ? ['-'] : bytes.toString('utf8').split('\n');
  return lines.every((line) => /^\s*(?:#|$)/.test(line));
}

function scan(bytes: Buffer): { blocks: Block[]; mapId: string | null } {
  const blocks: Block[] = [];
  let mapId: string | null = null;
  let version: MappingVersion = 0;
  let open: Block | undefined;
  let next: number;
  for (let start = 0; start < bytes.length; start = next) {
    const newline = bytes.indexOf(NEWLINE, start);
    next = newline < 0 ? bytes.length : newline + 1;
    const first = bytes[start];
    if (first === SPACE || first === TAB || first === NEWLINE || first === CARRIAGE_RETURN) continue;
    if (first === HASH) {
      const comment = bytes.toString('utf8', start, Math.min(next, start + 1024));
      const stated = readMappingVersion(comment);
      if (stated !== null) {
        version = stated;
        if (open) open.end = start;
        open = undefined;
      } else if (open && comment.includes('sourceFile')) {
        open.hasSourceFile = true;
      }
      mapId ??= /^#\s*pg_map_id\s*:\s*(\S{1,256})/.exec(comment)?.[1] ?? null;
      continue;
    }
    const block = classBlock(bytes, start, newline < 0 ? bytes.length : newline, version);
    if (block === undefined) continue;
    if (open) open.end = start;
    open = block;
    blocks.push(block);
  }
  return { blocks, mapId };
}

function classBlock(bytes: Buffer, start: number, newline: number, version: MappingVersion): Block | undefined {
  let end = newline;
  while (end > start && (bytes[end - 1] === CARRIAGE_RETURN || bytes[end - 1] === SPACE)) end -= 1;
  if (bytes[end - 1] !== COLON || end - start > MAX_CLASS_LINE) return undefined;
  const line = bytes.toString('latin1', start, end);
  const arrow = line.indexOf('->');
  if (arrow < 1) return undefined;
  const residual = Buffer.from(line.slice(arrow + 2, -1).trim(), 'latin1');
  const original = Buffer.from(line.slice(0, arrow).trim(), 'latin1');
  if (residual.length === 0 || original.length === 0) return undefined;
  const hashes = { hash: hashBytes(residual), originalHash: hashBytes(original) };
  return { ...hashes, start, end: bytes.length, version, hasSourceFile: false };
}
