/** A share in percent with two digits, cut and not rounded: only what is whole is 100 %. */
export const percentCut = (share: number): string =>
  `${(Math.floor(share * 10_000 + 1e-6) / 100).toLocaleString('en', { maximumFractionDigits: 2 })} %`;
