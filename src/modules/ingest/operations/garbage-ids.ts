import { isLongerThan } from '../../../kernel/text.js';

const MAX_CHARACTERS = 400;
/** Includes the spaces around it, so that the database can look it up. */
const MAX_BYTES = 2_000;

const GARBAGE_WORDS = new Set([
  'null',
  'undefined',
  'none',
  'nil',
  'nan',
  'true',
  'false',
  '0',
  'anonymous',
  'guest',
  'distinct_id',
  '[object object]',
  '{}',
  '[]',
  '00000000-0000-0000-0000-000000000000',
]);

/** Values of accept headers that proxies and misread request objects leak into ids. */
const LEAKED_HEADER_TOKENS = new Set(['gzip', 'deflate', 'br', '*/*', 'identity']);
const HEADER_SEPARATOR = /[\s,]+/;
const BEFORE_QUALITY = /\s*;\s*q=/g;
const QUALITY = /;q=[\d.]+$/;
/** Matches any other coding with its quality; alone it may be an id. */
const OTHERS = '*';
/** Browsers send it after the others; alone it may be an id. */
const ZSTD = 'zstd';

/** Lower-case prefixes of garbage with two or more characters. */
const BEGINNINGS = new Set(
  [...GARBAGE_WORDS, ...LEAKED_HEADER_TOKENS, `${OTHERS};q=`, ZSTD]
    .filter((word) => word.length > 1)
    .map((word) => pair(word.charCodeAt(0), word.charCodeAt(1))),
);

function pair(first: number, second: number): number {
  return (first << 8) | second;
}

const lowered = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
const isVisibleAscii = (byte: number): boolean => byte > 0x20 && byte < 0x7f;

export type GarbageReason = 'empty_id' | 'id_too_long' | 'garbage_id' | 'leaked_header_id';

/**
 * Whether the bytes of an id's text are certainly not garbage, judged by the first two: nearly every id passes here, without creating a
 * string.
 */
export const isSurelyNoGarbage = (buf: Buffer, from: number, to: number): boolean => {
  const length = to - from;
  if (length < 2 || length > MAX_CHARACTERS) return false;
  const first = buf[from] as number;
  const second = buf[from + 1] as number;
  if (!isVisibleAscii(first) || !isVisibleAscii(second) || first === 0x2c || second === 0x2c) return false;
  return !BEGINNINGS.has(pair(lowered(first), lowered(second)));
};

/** Why an id can't identify anyone, or null if it may stand for a person (docs/rest.md, Ingestion). Case doesn't matter. */
export const garbageReason = (id: string): GarbageReason | null => {
  const trimmed = id.trim();
  if (trimmed.length === 0) return 'empty_id';
  if (isLongerThan(trimmed, MAX_CHARACTERS)) return 'id_too_long';
  if (id.length > MAX_CHARACTERS && Buffer.byteLength(id) > MAX_BYTES) return 'id_too_long';
  const word = trimmed.toLowerCase();
  if (GARBAGE_WORDS.has(word)) return 'garbage_id';
  const tokens = word.replace(BEFORE_QUALITY, ';q=').split(HEADER_SEPARATOR);
  return tokens.every(isLeakedToken) ? 'leaked_header_id' : null;
};

function isLeakedToken(token: string, _at: number, { length }: readonly string[]): boolean {
  const value = token.replace(QUALITY, '');
  if (value === OTHERS) return value !== token;
  return LEAKED_HEADER_TOKENS.has(value) || (value === ZSTD && (value !== token || length > 1));
}
