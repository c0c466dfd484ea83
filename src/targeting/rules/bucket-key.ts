import { attributeKindOf, valueReader } from '../attributes.js';
import { Compilation, type Question } from '../compilation.js';
import { MOST_COMPARED } from '../most-compared.js';
import type { Subject } from '../subject.js';
import type { SubjectValue } from '../subject-value.js';
import type { Rule } from './rule.js';

/** Computes the buckets of a rule. */
export interface BucketKey {
  /** The value the subject is bucketed by, or null. */
  readonly id: Question<string | null>;
  /** The bucket for the percentage, or -1 when the subject has no value to bucket by. */
  readonly rollout: Question<number>;
  /** The bucket for the split, independent of the percentage's; -1 without a value or a split. */
  readonly share: Question<number>;
}

/** Attributes that buckets can be computed from: `distinct_id`, `props.<key>`, `context.<key>`. */
export function isBucketAttribute(attribute: string): boolean {
  const name = attributeKindOf(attribute)?.name;
  return name === 'distinct_id' || name === 'props.<key>' || name === 'context.<key>';
}

/** Whether the subject has a value for an attribute that buckets can be computed from, even one that has no bucket. */
export function hasValue(attribute: string, subject: Subject): boolean {
  const kind = attributeKindOf(attribute);
  return kind !== null && valueReader(kind, attribute, new Compilation())(subject).value != null;
}

/** Compiles the buckets of a rule in a list of rules with a salt. */
export function bucketKey({ salt, bucketBy, split }: Rule, listSalt: string, compilation: Compilation): BucketKey {
  const [own, attribute] = [salt || listSalt, bucketBy || 'distinct_id'];
  const kind = attributeKindOf(attribute);
  const id = kind ? idSeen(valueReader(kind, attribute, compilation)) : () => null;
  const under = (seed: string) =>
    compilation.question(`bucket ${JSON.stringify([seed, attribute])}`, () => bucketUnder(seed, id));
  return { id, rollout: under(own), share: split?.length ? under(`${own}:split`) : NO_BUCKET };
}

const NO_BUCKET: Question<number> = () => -1;

function bucketUnder(seed: string, id: Question<string | null>): Question<number> {
  return (subject) => {
    const had = id(subject);
    return had === null ? -1 : subject.bucket(seed, had);
  };
}

const idSeen =
  (see: Question<SubjectValue>): Question<string | null> =>
  (subject) =>
    idOf(see(subject).value);

/** Only texts and whole numbers (as decimal digits) have buckets. */
function idOf(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MOST_COMPARED.characters ? value : null;
}
