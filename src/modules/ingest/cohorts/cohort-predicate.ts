import type { PropertyPredicate } from '../../../targeting/cohorts/property-predicate.js';

/** Where a predicate becomes invalid: `position` counts characters from 0. */
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

  whole(): PropertyPredicate {
    const predicate = this.predicate(0);
    this.skip();
    if (this.at < this.text.length) this.fail('the end');
    return predicate;
  }

  private predicate(depth: number): PropertyPredicate {
    this.skip();
    if (depth > MAX_DEPTH) this.fail(`at most ${MAX_DEPTH} levels of AND and OR`);
    const group = this.match(GROUP);
    if (group) {
      const parts = this.group(depth);
      return group[1] === 'AND' ? { all: parts } : { any: parts };
    }
    const property = this.match(PROPERTY);
    if (!property) this.fail('props.<key> = "value", AND(…) or OR(…)');
    const quoted = this.match(QUOTED);
    if (!quoted) this.fail('a value in double quotes');
    const value = (quoted[1] as string).replace(/\\(.)/g, '$1');
    return { key: property[1] as string, value };
  }

  private group(depth: number): PropertyPredicate[] {
    const parts: PropertyPredicate[] = [];
    for (;;) {
      parts.push(this.predicate(depth + 1));
      this.skip();
      const next = this.text[this.at];
      if (next === ')' && parts.length > 1) break;
      if (next !== ',') this.fail(parts.length > 1 ? 'a comma or )' : 'a comma and a second predicate');
      this.at++;
    }
    this.at++;
    return parts;
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
export const parseCohortPredicate = (
  text: string,
): { predicate: PropertyPredicate } | { problem: PredicateProblem } => {
  try {
    return { predicate: new Reader(text).whole() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    throw error;
  }
};
