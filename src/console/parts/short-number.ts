const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** 940, 12.4K, 3.1M: a count where there is little room. */
export const shortNumber = (count: number): string => short.format(count);
