import { bucketOf } from '../../../targeting/rules/bucket.js';
import { explainRules, type RuleExplanation } from '../../../targeting/rules/explain-rules.js';
import type { Subject } from '../../../targeting/subject.js';
import { type FlagDefinition, targetingRule } from '../flags/flag-definition.js';
import { compileFlag, evaluateFlag, type FlagDecision } from './compiled-flag.js';

/** Why a flag answers as it does. */
export interface FlagExplanation {
  readonly decision: FlagDecision;
  /** Bucket of the distinct id under the flag's key (0 to 99,999), or null without distinct id. */
  readonly bucket: number | null;
  readonly rules: readonly FlagRuleExplanation[];
}

/** The outcome of one rule, with the variant that it has for the subject; null when its split cannot tell. */
export interface FlagRuleExplanation extends RuleExplanation {
  readonly variant: string | null;
}

/**
 * Explains a decision rule by rule. Every rule is tried, also those after the one that decided and those of a halted
 * or archived flag, so that it can be seen what would happen otherwise.
 */
export function explainFlag(flag: FlagDefinition, subject: Subject): FlagExplanation {
  const explained = explainRules(flag.rules.map(targetingRule), flag.key, subject);
  const rules = explained.map((explanation, index) => {
    const { variant, split } = flag.rules[index] as (typeof flag.rules)[number];
    const shared = split && split.length > 1;
    return {
      ...explanation,
      variant: shared ? (split[explanation.share ?? -1]?.variant ?? null) : variant,
    };
  });
  const bucket = subject.distinctId === null ? null : bucketOf(subject.hash, flag.key, subject.distinctId);
  return { decision: evaluateFlag(compileFlag(flag), subject), bucket, rules };
}
