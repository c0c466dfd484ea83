/** R8 never nests mapping comments deeper. */
const MAX_DEPTH = 16;

/**
 * Parses the JSON-like object of a mapping comment. R8 writes strict JSON; its documentation and older versions use
 * single quotes and bare keys. Both are accepted, as in R8's own reader.
 *
 * @returns the value with objects as Maps (keys come from the file), or undefined when the text is not such an object
 */
export function parseLenientJson(text: string): Map<string, unknown> | undefined {
  const cursor = new Cursor(text);
  try {
    const value = readValue(cursor, 0);
    return value instanceof Map ? (value as Map<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

class NotJson extends Error {}

class Cursor {
  position = 0;

  constructor(readonly text: string) {}

  /** Peeks at the next non-whitespace character; empty at the end. */
  peek(): string {
    while (this.position < this.text.length && ' \t\r\n'.includes(this.text.charAt(this.position))) this.position += 1;
    return this.text.charAt(this.position);
  }

  take(expected: string): void {
    if (this.peek() !== expected) throw new NotJson();
    this.position += 1;
  }
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new NotJson();
  const next = cursor.peek();
  if (next === '{') return readObject(cursor, depth);
  if (next === '[') return readArray(cursor, depth);
  if (next === '"' || next === "'") return readQuoted(cursor, next);
  const word = readWord(cursor);
  if (/^-?\d+(\.\d+)?$/.test(word)) return Number(word);
  if (word === 'true' || word === 'false') return word === 'true';
  return word === 'null' ? null : word;
}

function readObject(cursor: Cursor, depth: number): Map<string, unknown> {
  const result = new Map<string, unknown>();
  cursor.take('{');
  while (cursor.peek() !== '}') {
    const quote = cursor.peek();
    const key = quote === '"' || quote === "'" ? readQuoted(cursor, quote) : readWord(cursor);
    cursor.take(':');
    result.set(key, readValue(cursor, depth + 1));
    if (cursor.peek() === ',') cursor.take(',');
    else if (cursor.peek() !== '}') throw new NotJson();
  }
  cursor.take('}');
  return result;
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const result: unknown[] = [];
  cursor.take('[');
  while (cursor.peek() !== ']') {
    result.push(readValue(cursor, depth + 1));
    if (cursor.peek() === ',') cursor.take(',');
    else if (cursor.peek() !== ']') throw new NotJson();
  }
  cursor.take(']');
  return result;
}

function readQuoted(cursor: Cursor, quote: string): string {
  cursor.take(quote);
  let result = '';
  for (;;) {
    const character = cursor.text.charAt(cursor.position);
    if (character === '') throw new NotJson();
    cursor.position += 1;
    if (character === quote) return result;
    result += character === '\\' ? readEscape(cursor) : character;
  }
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
]);

function readEscape(cursor: Cursor): string {
  const character = cursor.text.charAt(cursor.position);
  cursor.position += 1;
  if (character !== 'u') return ESCAPES.get(character) ?? character;
  const digits = cursor.text.slice(cursor.position, cursor.position + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new NotJson();
  cursor.position += 4;
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function readWord(cursor: Cursor): string {
  cursor.peek();
  const match = /^[\w.$+-]+/.exec(cursor.text.slice(cursor.position, cursor.position + 256));
  if (match === null) throw new NotJson();
  cursor.position += match[0].length;
  return match[0];
}
