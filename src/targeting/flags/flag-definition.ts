import type { Condition } from '../condition.js';
import type { Prerequisite } from '../prerequisites/prerequisite.js';
import type { BucketRange } from '../rules/allocation.js';
import type { Rule } from '../rules/rule.js';

/** A named value a flag can take; the value is any JSON value that the flag's kind allows. */
export interface FlagVariant {
  readonly key: string;
  readonly value: unknown;
}

export interface FlagShare {
  /** Key of a variant of the flag. */
  readonly variant: string;
  /** Relative to the other weights. */
  readonly weight: number;
  /** The buckets assigned to it. */
  readonly buckets?: readonly BucketRange[];
}

/** A rule: it serves the variant when all conditions hold and the subject's bucket is within the percentage. */
export interface FlagRule {
  readonly conditions: readonly Condition[];
  /** 0 to 100, in steps of 0.001. */
  readonly percentage: number;
  /** Key of a variant of the flag; with a split, the variant with the largest share. */
  readonly variant: string;
  readonly split?: readonly FlagShare[];
  readonly salt?: string;
  readonly bucketBy?: string;
}

/** What a flag serves, without its state: the part that versions record. */
export interface FlagBehaviour {
  readonly variants: readonly FlagVariant[];
  /** Key of the variant served when no rule applies, and while the flag is halted or archived. */
  readonly defaultVariant: string;
  readonly rules: readonly FlagRule[];
  /** Other flags that must serve certain variants before rules are tried; absent in older versions. */
  readonly prerequisites?: readonly Prerequisite[];
}

export interface FlagDefinition extends FlagBehaviour {
  readonly key: string;
  readonly version: number;
  readonly halted: boolean;
  readonly archived: boolean;
}

/** A flag's rule in the evaluator's form. */
export function targetingRule({ conditions, percentage, split, salt, bucketBy }: FlagRule): Rule {
  const shares = split?.map(({ variant, ...share }) => ({ value: variant, ...share })) ?? null;
  return { conditions, percentage, split: shares, salt: salt ?? null, bucketBy: bucketBy ?? null };
}
