/** How many symbols a file may have that takes `packedSize` bytes in the upload: at least twice what linkers leave, packed well. */
export const mostSymbols = (packedSize: number): number => 250_000 + packedSize / 4;
