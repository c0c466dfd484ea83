import {
  type CompiledFlag,
  compileFlags,
  evaluateFlag,
  type FlagDecision,
} from '../../../targeting/flags/compiled-flag.js';
import { type FlagDefinition, targetingRule } from '../../../targeting/flags/flag-definition.js';
import type { Prerequisite } from '../../../targeting/prerequisites/prerequisite.js';
import { explainRules, type RuleExplanation } from '../../../targeting/rules/explain-rules.js';
import type { Subject } from '../../../targeting/subject.js';

export interface FlagExplanation {
  readonly decision: FlagDecision;
  /** Bucket of the distinct id under the flag's key (0 to 99,999), or null without distinct id. */
  readonly bucket: number | null;
  readonly prerequisites: readonly PrerequisiteExplanation[];
  readonly rules: readonly FlagRuleExplanation[];
}

export interface PrerequisiteExplanation extends Prerequisite {
  readonly isMet: boolean;
  /** Why the other flag has its value; null if it doesn't exist. */
  readonly explanation: FlagExplanation | null;
}

/** The outcome of one rule, with the variant it has for the subject; null if its split can't decide. */
export interface FlagRuleExplanation extends RuleExplanation {
  readonly variant: string | null;
}

/**
 * Explains a decision: every prerequisite with the explanation of its own flag, then rule by rule. Every rule is tried, including those
 * after the one that decided and those of a halted or archived flag, to show what would happen otherwise.
 */
export function explainFlag(
  flag: FlagDefinition,
  subject: Subject,
  others: readonly FlagDefinition[] = [],
): FlagExplanation {
  const all = [flag, ...others];
  const compiled = new Map(compileFlags(all).map((each) => [each.key, each]));
  const definitions = new Map(all.map((each) => [each.key, each]));
  const known = new Map<string, FlagExplanation>();
  const explain = (key: string): FlagExplanation | null => {
    const definition = definitions.get(key);
    if (!definition) return null;
    // In a cycle, which is never stored, a flag counts as missing for those it depends on.
    definitions.delete(key);
    const prerequisites = (definition.prerequisites ?? []).map((needed): PrerequisiteExplanation => {
      const explanation = known.get(needed.key) ?? explain(needed.key);
      const isMet = explanation !== null && needed.variants.includes(explanation.decision.variant);
      return { ...needed, isMet, explanation };
    });
    const decision = evaluateFlag(compiled.get(key) as CompiledFlag, subject);
    const explanation = { decision, ...explainOwnRules(definition, subject), prerequisites };
    known.set(key, explanation);
    return explanation;
  };
  return explain(flag.key) as FlagExplanation;
}

function explainOwnRules(flag: FlagDefinition, subject: Subject): Pick<FlagExplanation, 'bucket' | 'rules'> {
  const explained = explainRules(flag.rules.map(targetingRule), flag.key, subject);
  const rules = explained.map((explanation, index) => {
    const { variant, split } = flag.rules[index] as (typeof flag.rules)[number];
    const shared = split && split.length > 1;
    return {
      ...explanation,
      variant: shared ? (split[explanation.share ?? -1]?.variant ?? null) : variant,
    };
  });
  return { bucket: subject.distinctId === null ? null : subject.bucket(flag.key, subject.distinctId), rules };
}
