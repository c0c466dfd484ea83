import { parseVersionRange } from '../../../targeting/versions/version-range.js';
import type { FlagSubject } from './flag-subject.js';

/**
 * One condition of a rule: it holds when the subject's attribute matches any of the values. `attribute` is `cohort`,
 * `app_version`, `platform`, `distinct_id` or `props.<key>`.
 */
export interface FlagCondition {
  readonly attribute: string;
  readonly values: readonly string[];
}

/** Decides whether a condition holds for a subject. */
export type ConditionMatch = (subject: FlagSubject) => boolean;

/** Everything the product knows about one kind of condition. */
export interface ConditionKind {
  readonly name: string;
  /** Whether an attribute is of this kind. */
  readonly covers: (attribute: string) => boolean;
  /** What is wrong with a value, or null. */
  readonly problem: (value: string) => string | null;
  readonly match: (values: readonly string[], attribute: string) => ConditionMatch;
  /** Whether it depends on what is stored about the person. */
  readonly personal: boolean;
}

const PROPERTY_PREFIX = 'props.';

/** EVERY kind of condition. */
export const conditionKinds: readonly ConditionKind[] = [
  {
    name: 'cohort',
    covers: (attribute) => attribute === 'cohort',
    problem: notEmpty,
    match: (values) => (subject) => values.some((value) => subject.cohorts.has(value)),
    personal: true,
  },
  {
    name: 'props.<key>',
    covers: (attribute) => attribute.startsWith(PROPERTY_PREFIX) && attribute.length > PROPERTY_PREFIX.length,
    problem: () => null,
    match: (values, attribute) => {
      const [key, wanted] = [attribute.slice(PROPERTY_PREFIX.length), new Set(values)];
      return (subject) => {
        const text = comparableText(subject.properties.get(key));
        return text !== null && wanted.has(text);
      };
    },
    personal: true,
  },
  {
    name: 'app_version',
    covers: (attribute) => attribute === 'app_version',
    problem: (value) =>
      parseVersionRange(value) === null ? 'is not a version range such as ">=2.1.0 <3.0.0", "^2.1" or "2.x"' : null,
    match: (values) => {
      const ranges = values.map((value) => parseVersionRange(value)).filter((range) => range !== null);
      return ({ appVersion }) => appVersion !== null && ranges.some((inRange) => inRange(appVersion));
    },
    personal: false,
  },
  {
    name: 'platform',
    covers: (attribute) => attribute === 'platform',
    problem: notEmpty,
    match: (values) => {
      const wanted = new Set(values.map((value) => value.toLowerCase()));
      return ({ platform }) => platform !== null && wanted.has(platform);
    },
    personal: false,
  },
  {
    name: 'distinct_id',
    covers: (attribute) => attribute === 'distinct_id',
    problem: notEmpty,
    match: (values) => {
      const wanted = new Set(values);
      return ({ distinctId }) => distinctId !== null && wanted.has(distinctId);
    },
    personal: false,
  },
];

/** The kind of an attribute, or null when there is none. */
export function conditionKindOf(attribute: string): ConditionKind | null {
  return conditionKinds.find((kind) => kind.covers(attribute)) ?? null;
}

/** Prepares a condition; one with an unknown attribute never holds. */
export function compileCondition(condition: FlagCondition): ConditionMatch {
  const kind = conditionKindOf(condition.attribute);
  return kind === null ? () => false : kind.match(condition.values, condition.attribute);
}

function notEmpty(value: string): string | null {
  return value === '' ? 'must not be empty' : null;
}

/** The text a property is compared by: strings as they are, numbers and booleans as JSON writes them. */
function comparableText(property: unknown): string | null {
  if (typeof property === 'string') return property;
  return typeof property === 'number' || typeof property === 'boolean' ? JSON.stringify(property) : null;
}
