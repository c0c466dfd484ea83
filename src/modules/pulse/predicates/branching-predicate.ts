import type { PredicateScanner } from './predicate-scanner.js';
import { type PredicateTree, parsePredicateTree } from './predicate-tree.js';

const COMPARISONS = ['>=', '<=', '!=', '==', '=', '>', '<'] as const;
type Comparison = Exclude<(typeof COMPARISONS)[number], '=='>;

export type BranchingLeaf =
  | { readonly op: 'answered' | 'always' }
  | { readonly op: 'contains'; readonly value: string }
  | { readonly op: Comparison; readonly value: string | number | boolean };

export type BranchingPredicate = PredicateTree<BranchingLeaf>;

function literal(scanner: PredicateScanner): string | number | boolean {
  const text = scanner.quoted();
  if (text !== undefined) return text;
  const number = scanner.match(/-?\d{1,15}(?:\.\d{1,6})?(?![\d.])/y);
  if (number !== undefined) return Number(number);
  const word = scanner.match(/(?:true|false)\b/y);
  return word === undefined ? scanner.fail('a number, a text in double quotes, true or false') : word === 'true';
}

function branchingLeaf(scanner: PredicateScanner): BranchingLeaf {
  if (scanner.match(/always\b/y) !== undefined) return { op: 'always' };
  if (scanner.match(/answered\b/y) !== undefined) return { op: 'answered' };
  if (scanner.match(/answer\b/y) === undefined) return scanner.fail('answer, answered, always, AND( or OR(');
  if (scanner.match(/contains\b/y) !== undefined)
    return { op: 'contains', value: scanner.quoted() ?? scanner.fail('a text in double quotes') };
  const op = scanner.acceptOneOf(COMPARISONS) ?? scanner.fail('one of = != > >= < <= contains');
  return { op: op === '==' ? '=' : op, value: literal(scanner) };
}

/**
 * The predicate of a branching rule (docs/rest.md, Surveys).
 *
 * predicate = "always" | "answered" | comparison | contains | "AND(" predicate "," predicate ")" | "OR(" … ")"
 * comparison = "answer" ( "=" | "==" | "!=" | ">" | ">=" | "<" | "<=" ) ( number | "text" | true | false )
 * contains = "answer" "contains" "text" for multiselect questions: the option was chosen
 *
 * Dates compare as text, which sorts ISO 8601 dates correctly.
 * @throws PredicateSyntaxError
 */
export function parseBranchingPredicate(text: string): BranchingPredicate {
  return parsePredicateTree(text, branchingLeaf);
}
