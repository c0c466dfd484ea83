import type { FlagCondition } from '../evaluation/condition-kinds.js';

/** A named value a flag can take; the value is any JSON value that the flag's kind allows. */
export interface FlagVariant {
  readonly key: string;
  readonly value: unknown;
}

/** A rule: when all conditions hold and the subject's bucket lies within the percentage, the variant is served. */
export interface FlagRule {
  readonly conditions: readonly FlagCondition[];
  /** 0 to 100, in steps of 0.001. */
  readonly percentage: number;
  /** Key of a variant of the flag. */
  readonly variant: string;
}

/** What a flag serves, without its state: the part of a flag that versions record. */
export interface FlagBehaviour {
  readonly variants: readonly FlagVariant[];
  /** Key of the variant that is served when no rule applies, and while the flag is halted or archived. */
  readonly defaultVariant: string;
  readonly rules: readonly FlagRule[];
}

/** A flag as the evaluator needs it. */
export interface FlagDefinition extends FlagBehaviour {
  readonly key: string;
  readonly version: number;
  readonly halted: boolean;
  readonly archived: boolean;
}
