import { attributeKindOf, needsOf, valueReader } from './attributes.js';
import { Compilation, type Question } from './compilation.js';
import type { Condition, Scalar } from './condition.js';
import type { CompiledCondition } from './condition-match.js';
import type { Finding } from './finding.js';
import { joinNeeds, NO_NEEDS } from './needs.js';
import type { Operator } from './operators/operator.js';
import { operators } from './operators/operators.js';
import { plainProperty, withOperator } from './plain-condition.js';
import type { Subject } from './subject.js';
import { SubjectValue, VALUE_KINDS } from './subject-value.js';

const NOTHING = new SubjectValue(null);
const NEVER: CompiledCondition = {
  holds: () => false,
  find: () => 'absent',
  see: () => NOTHING,
  needs: NO_NEEDS,
  timed: false,
  fails: 'is not an attribute',
};

/** Compiles a condition; one with an unknown attribute never holds. */
export function compileCondition(condition: Condition, compilation = new Compilation()): CompiledCondition {
  const compiled =
    condition.operator == null ? compilePlain(condition, compilation) : compileNamed(condition, compilation);
  if (compiled === NEVER) return NEVER;
  const { find } = compiled;
  const wanted: Finding = condition.negate ? 'no' : 'yes';
  return { ...compiled, holds: (subject) => find(subject) === wanted };
}

function compilePlain(condition: Condition, compilation: Compilation): Omit<CompiledCondition, 'holds'> {
  const named = withOperator(condition);
  const compiled = named === null ? plainProperty(condition, compilation) : compileNamed(named, compilation);
  return compiled === NEVER ? NEVER : { ...compiled, fails: 'matches none of its values' };
}

function compileNamed(
  { attribute, operator, values }: Condition,
  compilation: Compilation,
): Omit<CompiledCondition, 'holds'> {
  const [kind, row] = [attributeKindOf(attribute), operator ? operators[operator] : undefined];
  if (kind === null || row === undefined) return NEVER;
  const see = valueReader(kind, attribute, compilation);
  const { fold } = kind;
  return {
    see,
    find: compilation.question(JSON.stringify([attribute, operator, values]), () => {
      if (operator === 'exists') return findExistence(see);
      const folded = fold ? values.map((value) => (typeof value === 'string' ? fold(value) : value)) : values;
      return findAny(see, row, folded, compilation.placeAt(attribute));
    }),
    needs: joinNeeds([needsOf(attribute), { properties: [], cohorts: operator === 'cohort' }]),
    timed: attribute === 'now' || (row.timed?.(values) ?? false),
    fails: row.fails,
  };
}

/** Negated `exists` is the only condition that an absent attribute satisfies. */
function findExistence(see: Question<SubjectValue>): Question<Finding> {
  return (subject) => (see(subject).kind === VALUE_KINDS.absent ? 'no' : 'yes');
}

/**
 * A list matches if any of its entries does.
 *
 * @param place slot in which a cached sight stores the finding.
 */
function findAny(
  see: Question<SubjectValue>,
  { compares, prepare, prepareForLists }: Operator,
  values: readonly Scalar[],
  place: number,
): Question<Finding> {
  const [compare, compareLists] = [prepare(values), prepareForLists?.(values)];
  const single = compares.reduce((kinds, type) => kinds | VALUE_KINDS[type], 0);
  const lists = compareLists ? VALUE_KINDS.list | VALUE_KINDS.longList : VALUE_KINDS.list;
  const findIn = (seen: SubjectValue, subject: Subject): Finding => {
    const { kind } = seen;
    if (kind & single) return compare.holds(seen, subject) ? 'yes' : 'no';
    if (kind & lists) {
      if (compareLists) return compareLists(seen.set) ? 'yes' : 'no';
      for (const entry of seen.entries) if (entry.kind & single && compare.holds(entry, subject)) return 'yes';
      return 'no';
    }
    if (kind === VALUE_KINDS.absent) return 'absent';
    return kind & (VALUE_KINDS.tooLong | VALUE_KINDS.longList) && compares.includes('text') ? 'too long' : 'other type';
  };
  if (compare.by === 'subject') return (subject) => findIn(see(subject), subject);
  return (subject) => {
    const seen = see(subject);
    const { findings } = seen;
    if (findings === null) return findIn(seen, subject);
    findings[place] ??= findIn(seen, subject);
    return findings[place] as Finding;
  };
}
