import type { Compilation } from './compilation.js';
import type { Condition, OperatorName } from './condition.js';
import type { CompiledCondition } from './condition-match.js';
import type { Finding } from './finding.js';
import { SubjectValue } from './subject-value.js';

/** The meaning of a condition without an operator, by attribute; `props.<key>` is a special case. */
const MEANINGS: Readonly<Record<string, OperatorName>> = {
  distinct_id: 'in',
  cohort: 'in',
  platform: 'in',
  app_version: 'semver',
};

const PROPERTIES = 'props.';

export function hasPlainMeaning(attribute: string): boolean {
  return Object.hasOwn(MEANINGS, attribute) || isProperty(attribute);
}

/**
 * Converts a condition without an operator to one with an operator; null for properties and for conditions without a
 * meaning.
 */
export function withOperator(condition: Condition): Condition | null {
  if (!Object.hasOwn(MEANINGS, condition.attribute)) return isProperty(condition.attribute) ? null : condition;
  return { ...condition, operator: MEANINGS[condition.attribute] as OperatorName };
}

/**
 * A property without an operator: the key is used literally, including dots, and numbers and booleans equal their JSON
 * text. Lists and objects equal nothing.
 */
export function plainProperty(
  { attribute, values }: Condition,
  compilation: Compilation,
): Omit<CompiledCondition, 'holds'> {
  const [key, wanted] = [attribute.slice(PROPERTIES.length), new Set(values)];
  const see = compilation.question(`property ${key}`, () => (subject) => new SubjectValue(subject.property(key)));
  const find = ({ value }: SubjectValue): Finding => {
    if (value === undefined || value === null) return 'absent';
    if (typeof value === 'object') return 'other type';
    return wanted.has(typeof value === 'string' ? value : JSON.stringify(value)) ? 'yes' : 'no';
  };
  const needs = { properties: [key], cohorts: false };
  return { see, find: (subject) => find(see(subject)), needs, timed: false, fails: '' };
}

function isProperty(attribute: string): boolean {
  return attribute.startsWith(PROPERTIES) && attribute.length > PROPERTIES.length;
}
