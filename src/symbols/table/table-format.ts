/**
 * A stored symbol table, little-endian, every part aligned to 4 bytes:
 *
 * | part | content |
 * |---|---|
 * | header | 16 × u32 and 2 × f64, below |
 * | addresses | u32 × entries, ascending, relative to the origin; an entry is valid up to the next one |
 * | entries | u32 × entries: number of a location, or `NO_LOCATION` |
 * | locations | 5 × u32 each: function (string), file (string), line, column (0: unknown), location inlined into + 1 |
 * | string ends | u32 × strings: end of each text within the texts |
 * | texts | UTF-8, one after another, the first one empty; function names as in `signed-name.ts` |
 *
 * A location's parent always has a smaller number than the location.
 */
export const TABLE_MAGIC = 0x54534451;
export const TABLE_VERSION = 1;
export const HEADER_BYTES = 80;
export const NO_LOCATION = 0xffffffff;

export const LOCATION_STRIDE = 5;

/** Positions of the header's fields, in bytes. */
export const Header = {
  magic: 0,
  version: 4,
  entries: 8,
  locations: 12,
  strings: 16,
  textBytes: 20,
  flags: 24,
  origin: 64,
  imageBase: 72,
} as const;

/** Set in the header's flags when the image has debug information, not only symbol names. */
export const FLAG_DEBUG_INFO = 1;
