const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** What a person typed as the value that it means: `true` and `12` are themselves, quotes and everything else make a text. */
export function typedValue(text: string): unknown {
  const plain = text.trim();
  if (LITERAL.test(plain) || /^["[{]/.test(plain)) {
    try {
      return JSON.parse(plain) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** The way back: a text that would be read as something else stands in quotes. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return typedValue(value) === value ? value : JSON.stringify(value);
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const NUMBERS = /-?\d[\d.eE+-]*/g;

/** The first number outside of quotes that JavaScript cannot hold as it is written, and would store as another. */
export const roundedIn = (text: string): string | undefined =>
  text
    .replaceAll(STRINGS, '')
    .match(NUMBERS)
    ?.find((digits) => !isKept(digits));

const isKept = (written: string): boolean => {
  const number = Number(written);
  return Number.isFinite(number) && magnitudeOf(String(number)) === magnitudeOf(written);
};

/** A number without its sign in one way of writing: its digits from the first to the last that is not 0, and the power of ten of its last. */
function magnitudeOf(written: string): string {
  const [digits = '', power = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const kept = all.replace(/0+$/, '');
  return kept === '' ? '0' : `${kept}e${Number(power) - fraction.length + all.length - kept.length}`;
}
