const SPACE = /^\s*/;
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"/;

/** Parses a predicate from left to right and evaluates it along the way. */
export class PredicateReader {
  constructor(private rest: string) {}

  take(pattern: RegExp): RegExpExecArray | null {
    this.rest = this.rest.replace(SPACE, '');
    const found = pattern.exec(this.rest);
    if (found) this.rest = this.rest.slice(found[0].length);
    return found;
  }

  need(pattern: RegExp): RegExpExecArray {
    return this.take(pattern) ?? this.fail();
  }

  /** Rejects the predicate. */
  fail(): never {
    throw new SyntaxError('not a predicate');
  }

  quoted(): string | null {
    return this.take(QUOTED)?.[1]?.replace(/\\(.)/g, '$1') ?? null;
  }

  /** A quoted name, or a bare one up to its terminator. */
  name(bare: RegExp): string {
    const name = this.quoted() ?? this.need(bare)[0].trim();
    return name === '' ? this.fail() : name;
  }

  tree(leaf: (reader: PredicateReader) => boolean): boolean {
    const op = this.take(/^(AND|OR)\s*\(/);
    if (!op) return leaf(this);
    const first = this.tree(leaf);
    this.need(/^,/);
    const second = this.tree(leaf);
    this.need(/^\)/);
    return op[1] === 'AND' ? first && second : first || second;
  }
}

/**
 * Parses and evaluates a tree of AND and OR over leaves; anything unreadable, for example from a newer server, never
 * holds.
 */
export function evaluate(text: string, leaf: (reader: PredicateReader) => boolean): boolean {
  try {
    const reader = new PredicateReader(text);
    const isTrue = reader.tree(leaf);
    reader.need(/^$/);
    return isTrue;
  } catch {
    return false;
  }
}
