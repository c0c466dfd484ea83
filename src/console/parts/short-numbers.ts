/** A share in percent with up to two decimals, truncated so that only a full share shows 100%. */
export const percentCut = (share: number): string =>
  `${(Math.floor(share * 10_000 + 1e-6) / 100).toLocaleString('en', { maximumFractionDigits: 2 })}%`;

/** 1 event, 4,704 events: a count with its noun. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** 940, 12.4K, 3.1M: a count for tight spaces. */
export const shortNumber = (count: number): string => short.format(count);

const KIB = 1024;

/** 47 B, 12 KiB, 3.1 MiB: a file size; only an empty file shows 0. */
export function sizeInWords(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  if (bytes < KIB * KIB) return `${Math.ceil(bytes / KIB).toLocaleString('en')} KiB`;
  return `${(bytes / KIB / KIB).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MiB`;
}
