/**
 * Maximum number of symbols in a file that takes `packedSize` bytes in the upload: at least twice what linkers produce,
 * well compressed.
 */
export const mostSymbols = (packedSize: number): number => 250_000 + packedSize / 4;
