import { anyOf } from '../any-of.js';
import type { Scalar } from '../condition.js';
import { MOST_COMPARED } from '../most-compared.js';
import { compilePattern } from '../patterns/compile-pattern.js';
import { PatternProblem } from '../patterns/parse-pattern.js';
import { byValue, type Comparison, type Operator, textProblem } from './operator.js';

const MOST_TEXTS = 100;
const MOST_PATTERNS = 10;
const NANOSECONDS_PER_UNIT = 100;
/** Cost of searching for one text in the longest text compared. */
const UNITS_PER_SEARCH = 40;

/** An operator that compares a text with each of its values. */
const searching = (
  finds: (value: string) => (seen: string) => boolean,
  fails: string,
  unitsPerValue = 1,
): Operator => ({
  compares: ['text'],
  fewest: 1,
  most: MOST_TEXTS,
  problem: textProblem,
  prepare: (values) => onText(anyOf(values.map((value) => finds(value as string)))),
  work: (values) => values.length * unitsPerValue,
  fails,
});

export const contains = searching(
  (value) => (seen) => seen.includes(value),
  'does not contain any of the values',
  UNITS_PER_SEARCH,
);
export const startsWith = searching(
  (value) => (seen) => seen.startsWith(value),
  'does not start with any of the values',
);
export const endsWith = searching((value) => (seen) => seen.endsWith(value), 'does not end with any of the values');

/** Patterns in RE2 syntax, matched in time linear in the text. */
export const matches: Operator = {
  compares: ['text'],
  fewest: 1,
  most: MOST_PATTERNS,
  problem: (value) => textProblem(value) ?? patternProblem(value as string),
  prepare: (values) => onText(anyOf(values.map((value) => compilePattern(value as string).matches))),
  work: (values) => values.reduce<number>((sum, value) => sum + patternWork(value), 0),
  fails: 'does not match any of the patterns',
};

function onText(test: (seen: string) => boolean): Comparison {
  return byValue(({ value }) => test(value as string));
}

function patternWork(value: Scalar): number {
  return Math.ceil((compilePattern(value as string).cost * MOST_COMPARED.characters) / NANOSECONDS_PER_UNIT);
}

function patternProblem(text: string): string | null {
  try {
    compilePattern(text);
    return null;
  } catch (error) {
    if (error instanceof PatternProblem) return error.message;
    throw error;
  }
}
