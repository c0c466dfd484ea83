import { attributeKindOf } from '../attributes.js';
import { MOST_COMPARED } from '../most-compared.js';
import type { Subject } from '../subject.js';
import { bucketOf } from './bucket.js';
import type { Rule } from './rule.js';

/** What decides the buckets of a rule. */
export interface BucketKey {
  /** Whether the subject has a value to be bucketed by. */
  readonly isHad: (subject: Subject) => boolean;
  /** The bucket of the percentage, or -1 when the subject has no value to be bucketed by. */
  readonly rollout: (subject: Subject) => number;
  /** The bucket of the split, independent of the percentage's, or -1. */
  readonly share: (subject: Subject) => number;
}

/** Attributes that may decide buckets: `distinct_id`, `props.<key>`, `context.<key>`. */
export function isBucketAttribute(attribute: string): boolean {
  const name = attributeKindOf(attribute)?.name;
  return name === 'distinct_id' || name === 'props.<key>' || name === 'context.<key>';
}

/** Prepares the buckets of a rule in a list of rules with a salt. */
export function bucketKey({ salt, bucketBy }: Rule, listSalt: string): BucketKey {
  const [own, attribute] = [salt || listSalt, bucketBy || 'distinct_id'];
  const read = attributeKindOf(attribute)?.reader(attribute) ?? (() => null);
  const under = (seed: string) => (subject: Subject) => {
    const id = idOf(read(subject));
    return id === null ? -1 : bucketOf(subject.hash, seed, id);
  };
  const isHad = (subject: Subject) => idOf(read(subject)) !== null;
  return { isHad, rollout: under(own), share: under(`${own}:split`) };
}

/** Texts and whole numbers, as decimal digits, have buckets; nothing else has. */
function idOf(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MOST_COMPARED.characters ? value : null;
}
