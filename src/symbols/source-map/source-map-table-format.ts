/**
 * A source map as stored for lookups: a header of 32-bit words and the parts it points to.
 *
 * - line index: for each generated line the number of its first block, plus one word for the end; with
 * `FAR_LINES_MAGIC`, for each line with segments its number and that of its first block, plus one pair for the end;
 * - blocks: runs of at most `BLOCK_SEGMENTS` segments of one line, each readable by itself;
 * - segments: per segment the column delta × 4 + its tag, then its deltas of source, line, column and name;
 * - strings: (offset, length) pairs of UTF-8 texts: sources, contents, names, Metro's function maps as JSON.
 */
export const SOURCE_MAP_TABLE_MAGIC = 0x31_4d_53_51;
/** Used instead when sections are so far apart that an index of all lines would be larger than the map. */
export const FAR_LINES_MAGIC = 0x32_4d_53_51;
export const BLOCK_SEGMENTS = 128;

/** Words of a block: first column, offset of its segments, their number. Deltas start from 0 in every block. */
export const BLOCK_WORDS = 3;

/** Words of the header, in order. */
export const HEAD = {
  magic: 0,
  lines: 1,
  blocks: 2,
  sources: 3,
  names: 4,
  lineIndexAt: 5,
  blocksAt: 6,
  segmentsAt: 7,
  stringsAt: 8,
  textAt: 9,
} as const;
export const HEAD_WORDS = 10;

/** Offset that represents a null string. */
export const NO_STRING = 0xffff_ffff;

export const TAG = { unmapped: 0, mapped: 1, named: 2 } as const;
