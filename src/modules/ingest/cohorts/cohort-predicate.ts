/** A cohort's condition on person properties (docs/rest.md, Surveys). */
export type CohortPredicate =
  | { kind: 'property'; key: string; value: string }
  | { kind: 'and' | 'or'; parts: CohortPredicate[] };

/** Where a predicate stops making sense: `position` counts characters from 0. */
export interface PredicateProblem {
  position: number;
  expected: string;
}

const MAX_DEPTH = 20;
const SPACES = /\s*/y;
const PROPERTY = /props\.([^\s="()]+)\s*=\s*/y;
const GROUP = /(AND|OR)\s*\(/y;
const QUOTED = /"((?:[^"\\]|\\["\\])*)"/y;

class Problem extends Error {
  constructor(readonly problem: PredicateProblem) {
    super(problem.expected);
  }
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): CohortPredicate {
    const predicate = this.predicate(0);
    this.skip();
    if (this.at < this.text.length) this.fail('the end');
    return predicate;
  }

  private predicate(depth: number): CohortPredicate {
    this.skip();
    if (depth > MAX_DEPTH) this.fail(`at most ${MAX_DEPTH} levels of AND and OR`);
    const group = this.match(GROUP);
    if (group) return this.group(group[1] === 'AND' ? 'and' : 'or', depth);
    const property = this.match(PROPERTY);
    if (!property) this.fail('props.<key> = "value", AND(…) or OR(…)');
    const quoted = this.match(QUOTED);
    if (!quoted) this.fail('a value in double quotes');
    const value = (quoted[1] as string).replace(/\\(.)/g, '$1');
    return { kind: 'property', key: property[1] as string, value };
  }

  private group(kind: 'and' | 'or', depth: number): CohortPredicate {
    const parts: CohortPredicate[] = [];
    for (;;) {
      parts.push(this.predicate(depth + 1));
      this.skip();
      const next = this.text[this.at];
      if (next === ')' && parts.length > 1) break;
      if (next !== ',') this.fail(parts.length > 1 ? 'a comma or )' : 'a comma and a second predicate');
      this.at++;
    }
    this.at++;
    return { kind, parts };
  }

  private skip(): void {
    this.match(SPACES);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private fail(expected: string): never {
    throw new Problem({ position: this.at, expected });
  }
}

/** Parses a predicate, or says where it goes wrong. */
export const parseCohortPredicate = (text: string): { predicate: CohortPredicate } | { problem: PredicateProblem } => {
  try {
    return { predicate: new Reader(text).whole() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    throw error;
  }
};

const matches = (actual: unknown, wanted: string): boolean =>
  typeof actual === 'string'
    ? actual === wanted
    : (typeof actual === 'number' || typeof actual === 'boolean') && String(actual) === wanted;

/** Whether a person with these properties satisfies the predicate. Numbers and booleans equal their text. */
export const satisfies = (predicate: CohortPredicate, properties: ReadonlyMap<string, unknown>): boolean => {
  if (predicate.kind === 'property') return matches(properties.get(predicate.key), predicate.value);
  const holds = (part: CohortPredicate): boolean => satisfies(part, properties);
  return predicate.kind === 'and' ? predicate.parts.every(holds) : predicate.parts.some(holds);
};

/** The keys of the properties that a predicate asks for. */
export const keysOf = (predicate: CohortPredicate): string[] =>
  predicate.kind === 'property' ? [predicate.key] : predicate.parts.flatMap(keysOf);
