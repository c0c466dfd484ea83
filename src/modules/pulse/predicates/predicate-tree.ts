import { PredicateScanner, PredicateSyntaxError } from './predicate-scanner.js';

/** `AND(p1, p2)` and `OR(p1, p2)` over leaves; both take exactly two operands, because clients know no other form. */
export type PredicateTree<Leaf> =
  | Leaf
  | { readonly op: 'AND' | 'OR'; readonly operands: readonly [PredicateTree<Leaf>, PredicateTree<Leaf>] };

/** Maximum length of a predicate, in UTF-16 units; every client receives it with the list. */
const MAX_PREDICATE_LENGTH = 2000;
/** Maximum nesting of AND and OR; clients evaluate recursively. */
export const MAX_PREDICATE_DEPTH = 16;

/**
 * Parses AND, OR and the leaves that `leaf` knows.
 * @throws PredicateSyntaxError with the position of the first invalid character.
 */
export function parsePredicateTree<Leaf>(text: string, leaf: (scanner: PredicateScanner) => Leaf): PredicateTree<Leaf> {
  if (text.length > MAX_PREDICATE_LENGTH)
    throw new PredicateSyntaxError(MAX_PREDICATE_LENGTH, `at most ${MAX_PREDICATE_LENGTH} characters`);
  const scanner = new PredicateScanner(text);
  const parse = (depth: number): PredicateTree<Leaf> => {
    const op = scanner.match(/(?:AND|OR)(?=\s*\()/y) as 'AND' | 'OR' | undefined;
    if (op === undefined) return leaf(scanner);
    if (depth >= MAX_PREDICATE_DEPTH) scanner.fail(`at most ${MAX_PREDICATE_DEPTH} levels of AND and OR`);
    scanner.expect('(');
    const first = parse(depth + 1);
    scanner.expect(',');
    const second = parse(depth + 1);
    scanner.expect(')');
    return { op, operands: [first, second] };
  };
  const tree = parse(0);
  if (!scanner.atEnd()) scanner.fail('the end of the predicate');
  return tree;
}
