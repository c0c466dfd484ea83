/**
 * A source map as it is stored for lookups: a head of 32-bit words and the parts it points to.
 *
 * - line index: for each generated line the number of its first block, and one more word for the end; with `FAR_LINES_MAGIC`
 *   for each line with segments its number and that of its first block, and one more pair for the end;
 * - blocks: runs of at most `BLOCK_SEGMENTS` segments of one line, each readable by itself;
 * - segments: per segment the column's step × 4 + its tag, then the steps of source, line, column and name it has;
 * - strings: (offset, length) pairs of UTF-8 texts: sources, contents, names, Metro's function maps as JSON.
 */
export const SOURCE_MAP_TABLE_MAGIC = 0x31_4d_53_51;
/** Instead of it where sections lie so far apart that an index of all lines would be larger than the map. */
export const FAR_LINES_MAGIC = 0x32_4d_53_51;
export const BLOCK_SEGMENTS = 128;

/** Words of a block: first column, offset of its segments, their number. Steps start from 0 in every block. */
export const BLOCK_WORDS = 3;

/** Words of the head, in order. */
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

/** Offset that stands for a string that is null. */
export const NO_STRING = 0xffff_ffff;

export const TAG = { unmapped: 0, mapped: 1, named: 2 } as const;
