const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Converts typed text to a value: `true` and `12` are themselves; anything in quotes, and everything else, is a text. */
export function typedValue(text: string): unknown {
  const plain = text.trim();
  return LITERAL.test(plain) || /^["[{]/.test(plain) ? parsedOr(plain, text) : text;
}

/** What a JSON text says, or something else if it isn't one. */
export function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** Converts a value back to typed text; a text that would be read as something else gets quotes. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return typedValue(value) === value ? value : JSON.stringify(value);
}

const STRINGS = /"(?:[^"\\]|\\.)*"/g;
const NUMBERS = /-?\d[\d.eE+-]*/g;

/** The first unquoted number that JavaScript can't represent as written and would store as another. */
export const roundedIn = (text: string): string | undefined =>
  text
    .replaceAll(STRINGS, '')
    .match(NUMBERS)
    ?.find((digits) => !isKept(digits));

const isKept = (written: string): boolean => {
  const number = Number(written);
  return Number.isFinite(number) && magnitudeOf(String(number)) === magnitudeOf(written);
};

/** An unsigned number in normal form: its digits from the first to the last non-zero, and the power of ten of the last. */
function magnitudeOf(written: string): string {
  const [digits = '', power = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const all = (whole + fraction).replace(/^0+/, '');
  const kept = all.replace(/0+$/, '');
  return kept === '' ? '0' : `${kept}e${Number(power) - fraction.length + all.length - kept.length}`;
}
