/** Levels of arrays and objects that JSON of a caller may have: nothing honest comes close, and recursion over more may overflow. */
export const DEEPEST_JSON = 256;

/** Whether JSON text has more than {@link DEEPEST_JSON} levels. Text that is no JSON may be judged either way. */
export function isTextTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST_JSON) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/** Whether a JSON value has more than {@link DEEPEST_JSON} levels; found without recursion. */
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
