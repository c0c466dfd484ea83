const MAX_CHARACTERS = 400;

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

export type GarbageReason = 'empty_id' | 'id_too_long' | 'garbage_id' | 'leaked_header_id';

/** Why an id identifies nobody, or null when it may stand for a person (decisions 4, garbage id). Case does not matter. */
export const garbageReason = (id: string): GarbageReason | null => {
  const trimmed = id.trim();
  if (trimmed.length === 0) return 'empty_id';
  if (trimmed.length > MAX_CHARACTERS && [...trimmed].length > MAX_CHARACTERS) return 'id_too_long';
  const word = trimmed.toLowerCase();
  if (GARBAGE_WORDS.has(word)) return 'garbage_id';
  return word.split(HEADER_SEPARATOR).every((token) => LEAKED_HEADER_TOKENS.has(token)) ? 'leaked_header_id' : null;
};
