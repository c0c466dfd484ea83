import { attributeKindOf, needsOf, type Reader } from './attributes.js';
import type { Condition, Scalar } from './condition.js';
import type { CompiledCondition, Finding } from './condition-match.js';
import { MOST_COMPARED } from './most-compared.js';
import { joinNeeds, NO_NEEDS } from './needs.js';
import type { Comparison, Operator, ValueType } from './operators/operator.js';
import { operators } from './operators/operators.js';
import { plainProperty, withOperator } from './plain-condition.js';
import type { Subject } from './subject.js';

const NEVER: CompiledCondition = {
  holds: () => false,
  find: () => 'absent',
  read: () => null,
  needs: NO_NEEDS,
  timed: false,
  fails: 'is no attribute',
};

/** Prepares a condition; one with an unknown attribute never holds. */
export function compileCondition(condition: Condition): CompiledCondition {
  const compiled = condition.operator == null ? compilePlain(condition) : compileNamed(condition);
  if (compiled === NEVER) return NEVER;
  const { find } = compiled;
  const wanted: Finding = condition.negate ? 'no' : 'yes';
  return { ...compiled, holds: (subject) => find(subject) === wanted };
}

function compilePlain(condition: Condition): Omit<CompiledCondition, 'holds'> {
  const named = withOperator(condition);
  const compiled = named === null ? plainProperty(condition) : compileNamed(named);
  return compiled === NEVER ? NEVER : { ...compiled, fails: 'matches none of its values' };
}

function compileNamed({ attribute, operator, values }: Condition): Omit<CompiledCondition, 'holds'> {
  const [kind, row] = [attributeKindOf(attribute), operator ? operators[operator] : undefined];
  if (kind === null || row === undefined) return NEVER;
  const read = kind.reader(attribute);
  const { fold } = kind;
  const compare = row.prepare(fold ? values.map((value) => (typeof value === 'string' ? fold(value) : value)) : values);
  return {
    read,
    find: operator === 'exists' ? findExistence(read) : findAny(read, row, compare),
    needs: joinNeeds([needsOf(attribute), { properties: [], cohorts: operator === 'cohort' }]),
    timed: attribute === 'now' || (row.timed?.(values) ?? false),
    fails: row.fails,
  };
}

/** The negation of `exists` is the only condition that something absent satisfies. */
function findExistence(read: Reader): CompiledCondition['find'] {
  return (subject) => {
    const seen = read(subject);
    return seen === undefined || seen === null ? 'no' : 'yes';
  };
}

/** A list stands for each of its entries. */
function findAny(read: Reader, { compares }: Operator, compare: Comparison): CompiledCondition['find'] {
  const judge = judgeOf(compares, compare);
  return (subject) => {
    const seen = read(subject);
    if (typeof seen !== 'object' || seen === null) return judge(seen, subject);
    if (!Array.isArray(seen) && !(seen instanceof Set)) return 'other type';
    if (Array.isArray(seen) && seen.length > MOST_COMPARED.entries) return 'too long';
    for (const entry of seen) if (judge(entry, subject) === 'yes') return 'yes';
    return 'no';
  };
}

function judgeOf(compares: readonly ValueType[], compare: Comparison) {
  const [texts, numbers, booleans] = (['text', 'number', 'boolean'] as const).map((type) => compares.includes(type));
  return (seen: unknown, subject: Subject): Finding => {
    if (seen === undefined || seen === null) return 'absent';
    const type = typeof seen;
    if (type === 'string') {
      if (!texts) return 'other type';
      if ((seen as string).length > MOST_COMPARED.characters) return 'too long';
    } else if (!(type === 'number' ? numbers : type === 'boolean' && booleans)) return 'other type';
    return compare(seen as Scalar, subject) ? 'yes' : 'no';
  };
}
