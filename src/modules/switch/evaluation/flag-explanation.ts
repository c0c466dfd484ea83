import { bucketOf, bucketsCovered } from '../../../targeting/rules/bucket.js';
import type { FlagDefinition, FlagRule } from '../flags/flag-definition.js';
import { compileFlag, decideFlag, type FlagDecision } from './compiled-flag.js';
import { compileCondition } from './condition-kinds.js';
import { fastBits } from './fast-bits.js';
import type { FlagSubject } from './flag-subject.js';

/** A condition and whether it holds. */
export interface ConditionExplanation {
  readonly attribute: string;
  readonly values: readonly string[];
  readonly holds: boolean;
}

/** The outcome of one rule. */
export interface RuleExplanation {
  readonly index: number;
  readonly conditions: readonly ConditionExplanation[];
  readonly percentage: number;
  /** Whether the subject's bucket lies within the percentage. */
  readonly inRollout: boolean;
  readonly applies: boolean;
  /** In words: which condition failed first, or that the rollout leaves the subject out, or that it applies. */
  readonly because: string;
}

/** Why a flag answers as it does. */
export interface FlagExplanation {
  readonly decision: FlagDecision;
  /** Bucket of the subject (0 to 99,999), or null without distinct id. */
  readonly bucket: number | null;
  readonly rules: readonly RuleExplanation[];
}

/**
 * Explains a decision rule by rule. Every rule is tried, also those after the one that decided and those of a halted
 * or archived flag, so that it can be seen what would happen otherwise.
 */
export function explainFlag(flag: FlagDefinition, subject: FlagSubject): FlagExplanation {
  const compiled = compileFlag(flag);
  const decision = compiled.outcomes[decideFlag(compiled, subject)] as FlagDecision;
  const bucket = subject.distinctId === null ? null : bucketOf(fastBits, flag.key, subject.distinctId);
  return { decision, bucket, rules: flag.rules.map((rule, index) => explainRule(rule, index, subject, bucket)) };
}

function explainRule(rule: FlagRule, index: number, subject: FlagSubject, bucket: number | null): RuleExplanation {
  const conditions = rule.conditions.map((condition) => ({
    ...condition,
    holds: compileCondition(condition)(subject),
  }));
  const failed = conditions.find((condition) => !condition.holds);
  const inRollout = rule.percentage >= 100 || (bucket !== null && bucket < bucketsCovered(rule.percentage));
  const applies = failed === undefined && inRollout;
  return { index, conditions, percentage: rule.percentage, inRollout, applies, because: reason() };

  function reason(): string {
    if (failed !== undefined) return `${failed.attribute} matches none of its values`;
    if (applies) return 'all conditions hold and the rollout covers the bucket';
    if (bucket === null) return 'a rollout needs a distinct id';
    return `bucket ${bucket} lies outside ${rule.percentage} %`;
  }
}
