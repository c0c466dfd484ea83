/** Maximum nesting of a caller's JSON: legitimate data never comes close, and deeper recursion may overflow. */
export const DEEPEST_JSON = 256;

/** Maximum number of values in a body: one of two bytes takes up to sixty in memory. */
export const MOST_VALUES = 1_000_000;

/** Whether JSON text has more than {@link DEEPEST_JSON} levels. The result for invalid JSON is unspecified. */
export const isTextTooDeep = (text: string): boolean => extentOf(text, Number.POSITIVE_INFINITY).isTooDeep;

/** Whether JSON text has too many levels or values. The result for invalid JSON is unspecified. */
export function extentOf(text: string, most = MOST_VALUES): { isTooDeep: boolean; hasTooMany: boolean } {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length && values <= most; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x2c) values++;
    else if (code === 0x5b || code === 0x7b) {
      values++;
      if (++depth > DEEPEST_JSON) return { isTooDeep: true, hasTooMany: false };
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return { isTooDeep: false, hasTooMany: values > most };
}

/** Whether a JSON value has more than {@link DEEPEST_JSON} levels, computed without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; ; depth++) {
    const containers = level.filter((one): one is object => one !== null && typeof one === 'object');
    if (containers.length === 0) return false;
    if (depth === DEEPEST_JSON) return true;
    level = containers.flatMap((one) => Object.values(one));
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; ; ) {
    const quote = text.indexOf('"', index);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
    index = quote + 1;
  }
}
