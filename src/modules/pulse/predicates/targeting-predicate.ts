import type { PredicateScanner } from './predicate-scanner.js';
import { type PredicateTree, parsePredicateTree } from './predicate-tree.js';

export type TargetingLeaf =
  | { readonly op: 'event' | 'cohort' | 'screen'; readonly name: string }
  | { readonly op: 'session_count'; readonly atLeast: number }
  | { readonly op: 'props'; readonly key: string; readonly value: string };

export type TargetingPredicate = PredicateTree<TargetingLeaf>;

const NAMED = ['event', 'cohort', 'screen'] as const;
const FORMS = 'event:, session_count >=, cohort:, screen:, props., AND( or OR(';

function namedLeaf(scanner: PredicateScanner): TargetingLeaf | undefined {
  const op = NAMED.find((name) => scanner.accept(`${name}:`));
  return op === undefined ? undefined : { op, name: scanner.name(`the name of the ${op}`) };
}

function targetingLeaf(scanner: PredicateScanner): TargetingLeaf {
  const named = namedLeaf(scanner);
  if (named !== undefined) return named;
  if (scanner.accept('session_count')) {
    scanner.expect('>=');
    const digits = scanner.match(/\d{1,9}(?!\d)/y) ?? scanner.fail('a whole number');
    return { op: 'session_count', atLeast: Number(digits) };
  }
  if (scanner.accept('props.')) {
    const key = scanner.key('the name of a property');
    scanner.expect('=');
    return { op: 'props', key, value: scanner.quoted() ?? scanner.fail('a value in double quotes') };
  }
  return scanner.fail(FORMS);
}

/**
 * The targeting predicate of docs/rest.md, Surveys. Names of events, cohorts, screens and properties are bare, or in double quotes if they
 * contain a comma, a bracket, a quote or (properties) an equals sign. Clients evaluate it; the server parses it when it is saved.
 * @throws PredicateSyntaxError
 */
export function parseTargetingPredicate(text: string): TargetingPredicate {
  return parsePredicateTree(text, targetingLeaf);
}
