import type { ObjectImage } from './object-image.js';

/**
 * The address range of an image that a table can cover. Table addresses count from `origin`; code is in `[low, high)`.
 */
export interface CodeSpan {
  readonly origin: number;
  readonly low: number;
  readonly high: number;
}

const REACH = 0xfffffff0;

/** Table addresses have 32 bits: anything more than 4 GB above the lowest code or symbol is left out. */
export function codeSpanOf(image: ObjectImage): CodeSpan {
  const [first] = image.codeRanges;
  const firstSymbol = image.symbols.at(0)?.address ?? Number.POSITIVE_INFINITY;
  if (!first) {
    const origin = Number.isFinite(firstSymbol) ? firstSymbol : 0;
    return { origin, low: Math.max(1, origin), high: origin + REACH };
  }
  let high = 0;
  for (const [, end] of image.codeRanges) high = Math.max(high, end);
  const near = firstSymbol < first[0] && high - firstSymbol < REACH;
  const origin = near ? firstSymbol : first[0];
  return { origin, low: Math.max(1, first[0]), high: Math.min(high, origin + REACH) };
}
