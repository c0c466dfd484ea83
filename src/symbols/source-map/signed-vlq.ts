const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers in a short base64-VLQ text, or null when it is invalid. */
export function decodeSigned(text: string): number[] | null {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0 || scale > 2 ** 30) return null;
    value += (digit & 31) * scale;
    if ((digit & 32) !== 0) {
      scale *= 32;
      continue;
    }
    numbers.push(value % 2 === 0 ? value / 2 : -(value - 1) / 2);
    value = 0;
    scale = 1;
  }
  return scale === 1 ? numbers : null;
}
