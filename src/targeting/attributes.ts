import type { Compilation, Question } from './compilation.js';
import type { OperatorName } from './condition.js';
import { type Needs, NO_NEEDS } from './needs.js';
import { foldLocale, type Subject } from './subject.js';
import { SubjectValue } from './subject-value.js';
import { ValueCache } from './value-cache.js';

export interface AttributeKind {
  readonly name: string;
  /** Reads a subject's value: any JSON value, a set of names, or nothing (undefined, null). */
  readonly reader: (attribute: string) => Question<unknown>;
  readonly operators: readonly OperatorName[];
  /** Normalizes a condition's text before it is compared with the subject's value. */
  readonly fold?: (text: string) => string;
  readonly isText?: true;
  /** Whether values are nearly unique per subject, so that caching them is pointless. */
  readonly isOwn?: true;
  /** The stored data about the person that it reads; none when absent. */
  readonly needs?: (attribute: string) => Needs;
}

const TEXT: readonly OperatorName[] = ['in', 'contains', 'starts_with', 'ends_with', 'matches', 'exists'];
const VERSION: readonly OperatorName[] = [...TEXT, 'semver'];
const ANY: readonly OperatorName[] = [...VERSION, 'lt', 'lte', 'gt', 'gte', 'before', 'after'];
const lower = (text: string) => text.toLowerCase();

const NAMED: readonly AttributeKind[] = [
  {
    name: 'distinct_id',
    reader:
      () =>
      ({ distinctId }) =>
        distinctId,
    operators: [...TEXT, 'cohort'],
    isText: true,
    isOwn: true,
  },
  {
    name: 'cohort',
    reader:
      () =>
      ({ cohorts }) =>
        cohorts,
    operators: ['in', 'cohort', 'contains', 'starts_with', 'ends_with', 'matches'],
    isText: true,
    needs: () => ({ properties: [], cohorts: true }),
  },
  {
    name: 'platform',
    reader:
      () =>
      ({ platform }) =>
        platform,
    operators: TEXT,
    isText: true,
    fold: lower,
  },
  {
    name: 'app_version',
    reader:
      () =>
      ({ appVersion }) =>
        appVersion,
    operators: VERSION,
    isText: true,
  },
  {
    name: 'os_version',
    reader:
      () =>
      ({ osVersion }) =>
        osVersion,
    operators: VERSION,
    isText: true,
  },
  {
    name: 'locale',
    reader:
      () =>
      ({ locale }) =>
        locale,
    operators: TEXT,
    isText: true,
    fold: foldLocale,
  },
  {
    name: 'country',
    reader: () => (subject) => {
      const country = subject.property('country');
      return typeof country === 'string' ? lower(country) : null;
    },
    operators: TEXT,
    isText: true,
    fold: lower,
    needs: () => propertyNeeds('country'),
  },
  {
    name: 'release',
    reader: () => (subject) => subject.property('release'),
    operators: VERSION,
    needs: () => propertyNeeds('release'),
  },
  {
    name: 'now',
    reader:
      () =>
      ({ now }) =>
        new Date(now).toISOString(),
    operators: ['before', 'after'],
    isOwn: true,
  },
];

const PREFIXED: readonly AttributeKind[] = [
  {
    name: 'props.<key>',
    reader: nested(6, (subject, key) => subject.property(key)),
    operators: ANY,
    needs: (attribute) => propertyNeeds(attribute.slice(6)),
  },
  {
    name: 'context.<key>',
    reader: nested(8, (subject, key) => subject.context.get(key)),
    operators: ANY,
  },
];

/** All kinds of attributes (docs/targeting.md, Conditions). */
export const attributeKinds: readonly AttributeKind[] = [...NAMED, ...PREFIXED];

/** The kind of an attribute, or null for an unknown name. */
export function attributeKindOf(attribute: string): AttributeKind | null {
  const named = NAMED.find(({ name }) => name === attribute);
  if (named) return named;
  return PREFIXED.find(({ name }) => attribute.startsWith(prefixOf(name)) && attribute !== prefixOf(name)) ?? null;
}

/** An attribute of this kind as conditions see it, read and parsed once per subject. */
export function valueReader(
  { reader, isOwn }: AttributeKind,
  attribute: string,
  compilation: Compilation,
): Question<SubjectValue> {
  return compilation.question(`attribute ${attribute}`, () => {
    const read = reader(attribute);
    if (isOwn) return (subject) => new SubjectValue(read(subject));
    const sights = new ValueCache();
    return (subject) => sights.of(read(subject));
  });
}

/** The stored data about the person that an attribute reads. */
export function needsOf(attribute: string): Needs {
  return attributeKindOf(attribute)?.needs?.(attribute) ?? NO_NEEDS;
}

/** A property by its key, else what {@link nested} reads. */
function propertyNeeds(key: string): Needs {
  const [first = ''] = key.split('.');
  return { properties: first === key ? [key] : [first, key], cohorts: false };
}

const prefixOf = (name: string): string => name.slice(0, name.indexOf('<'));

/** Reads `<prefix>a.b`: the key `a.b` if it exists, else the member `b` of the object `a`. */
function nested(prefix: number, read: (subject: Subject, key: string) => unknown): AttributeKind['reader'] {
  return (attribute) => {
    const key = attribute.slice(prefix);
    const [first = '', ...members] = key.split('.');
    return (subject) => {
      const whole = read(subject, key);
      return whole === undefined && members.length > 0 ? memberOf(read(subject, first), members) : whole;
    };
  };
}

function memberOf(value: unknown, members: readonly string[]): unknown {
  let inside = value;
  for (const member of members) {
    if (typeof inside !== 'object' || inside === null || Array.isArray(inside)) return null;
    if (!Object.hasOwn(inside, member)) return null;
    inside = (inside as Record<string, unknown>)[member];
  }
  return inside;
}
