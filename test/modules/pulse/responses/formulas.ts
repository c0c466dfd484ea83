/** Texts that a spreadsheet would run. */
export const FORMULAS: readonly string[] = [
  '=1+1',
  '+1+cmd',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '＝1',
  '\u200b=1',
  "=cmd|' /C calc'!A0",
  '|x',
  '%x',
];
