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

const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** 47 B, 12 KiB, 3.1 MiB, 1.5 GiB: a size in bytes; only zero shows 0. */
export function sizeInWords(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  if (bytes < KIB ** 2) return `${Math.ceil(bytes / KIB).toLocaleString('en')} KiB`;
  if (bytes < KIB ** 3) return `${tenths.format(bytes / KIB ** 2)} MiB`;
  return `${tenths.format(bytes / KIB ** 3)} GiB`;
}
