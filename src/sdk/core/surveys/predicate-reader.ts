const SPACE = /^\s*/;
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"/;

/** Reads a predicate from left to right and evaluates it on the way. */
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

  /** Gives the predicate up. */
  fail(): never {
    throw new SyntaxError('not a predicate');
  }

  quoted(): string | null {
    return this.take(QUOTED)?.[1]?.replace(/\\(.)/g, '$1') ?? null;
  }

  /** A name in quotes, or bare up to what ends it. */
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

/** Reads a tree of AND and OR over leaves and evaluates it; what cannot be read, of a later server for example, never holds. */
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
