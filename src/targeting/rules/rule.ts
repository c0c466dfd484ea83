import type { Condition } from '../condition.js';
import type { Share } from './allocation.js';

/** When all conditions hold and the subject's bucket lies within the percentage, the rule applies. */
export interface Rule {
  readonly conditions: readonly Condition[];
  /** 0 to 100, in steps of 0.001. */
  readonly percentage: number;
  /** What buckets depend on beside the id; the salt of the list of rules when absent. */
  readonly salt?: string | null;
  /** The attribute whose value has the bucket; `distinct_id` when absent. */
  readonly bucketBy?: string | null;
  /** Several outcomes by weight; without it the rule has one. */
  readonly split?: readonly Share[] | null;
}
