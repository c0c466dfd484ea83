import type { Condition } from '../condition.js';
import type { Share } from './allocation.js';

/** The rule applies when all conditions hold and the subject's bucket is within the percentage. */
export interface Rule {
  readonly conditions: readonly Condition[];
  /** 0 to 100, in steps of 0.001. */
  readonly percentage: number;
  /** The salt for buckets. Default: the salt of the list of rules. */
  readonly salt?: string | null;
  /** The attribute to bucket by. Default: `distinct_id`. */
  readonly bucketBy?: string | null;
  /** Several outcomes by weight; without a split the rule has one. */
  readonly split?: readonly Share[] | null;
}
