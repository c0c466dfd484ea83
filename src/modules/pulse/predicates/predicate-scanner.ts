/** A predicate that doesn't parse: where (0-based UTF-16 offset into the text) and what was expected there. */
export class PredicateSyntaxError extends Error {
  constructor(
    readonly position: number,
    readonly expected: string,
  ) {
    super(`At character ${position + 1}: expected ${expected}`);
    this.name = 'PredicateSyntaxError';
  }
}

const WHITESPACE = /[ \t\r\n]/;
const ENDS_NAME = /[,()"]/;
const ENDS_KEY = /[,()"=]/;

/** Reads a predicate from left to right. Whitespace is allowed between tokens, but not inside one. */
export class PredicateScanner {
  position = 0;

  constructor(private readonly text: string) {}

  fail(expected: string, position = this.position): never {
    throw new PredicateSyntaxError(position, expected);
  }

  atEnd(): boolean {
    this.skipWhitespace();
    return this.position >= this.text.length;
  }

  /** Consumes `token` if it is next; otherwise doesn't move. */
  accept(token: string): boolean {
    this.skipWhitespace();
    if (!this.text.startsWith(token, this.position)) return false;
    this.position += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) this.fail(`"${token}"`);
  }

  /** The first of the tokens that is next; longer tokens must come before their own prefixes. */
  acceptOneOf<T extends string>(tokens: readonly T[]): T | undefined {
    return tokens.find((token) => this.accept(token));
  }

  /** What `pattern` (sticky) matches here, or undefined. */
  match(pattern: RegExp): string | undefined {
    this.skipWhitespace();
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  /** `"…"` with `\"` and `\\` as the only escapes, or undefined if no quote is next. */
  quoted(): string | undefined {
    if (!this.accept('"')) return undefined;
    let value = '';
    while (this.position < this.text.length) {
      const character = this.text.charAt(this.position);
      if (character === '"') {
        this.position += 1;
        return value;
      }
      if (character === '\\') {
        const escaped = this.text.charAt(this.position + 1);
        if (escaped !== '"' && escaped !== '\\') this.fail('\\" or \\\\ after the backslash');
        value += escaped;
        this.position += 2;
      } else {
        value += character;
        this.position += 1;
      }
    }
    return this.fail('a closing quote');
  }

  /** A name as quoted text, or bare up to the next comma, bracket or quote, without surrounding whitespace. */
  name(what: string): string {
    return this.quotedOrBare(ENDS_NAME, what);
  }

  /** A name that an equals sign ends, too. */
  key(what: string): string {
    return this.quotedOrBare(ENDS_KEY, what);
  }

  private quotedOrBare(ends: RegExp, what: string): string {
    const start = this.position;
    const quoted = this.quoted();
    if (quoted !== undefined) return quoted === '' ? this.fail(what, start) : quoted;
    const from = this.position;
    while (this.position < this.text.length && !ends.test(this.text.charAt(this.position))) this.position += 1;
    const bare = this.text.slice(from, this.position).trim();
    return bare === '' ? this.fail(what, from) : bare;
  }

  private skipWhitespace(): void {
    while (WHITESPACE.test(this.text.charAt(this.position))) this.position += 1;
  }
}
