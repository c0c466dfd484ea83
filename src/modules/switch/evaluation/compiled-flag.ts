import { BUCKET_COUNT, bucketsCovered } from '../../../targeting/rules/bucket.js';
import { type CompiledRules, compileRules, decideRules } from '../../../targeting/rules/compile-rules.js';
import type { Subject } from '../../../targeting/subject.js';
import { type FlagDefinition, type FlagRule, targetingRule } from '../flags/flag-definition.js';

/** Why a flag has the value it has (docs/rest.md, Flags). */
export type FlagReason = 'halted' | 'archived' | 'rule' | 'rollout' | 'default';

/** The answer of a flag for a subject. */
export interface FlagDecision {
  readonly value: unknown;
  readonly variant: string;
  readonly reason: FlagReason;
  readonly version: number;
  /** Position of the rule that decided, or null. */
  readonly ruleIndex: number | null;
}

/**
 * A flag, ready to be decided without looking anything up. `outcomes[0]` is what is served when no rule decides, then
 * what the rules serve, a split's shares one by one; decisions are always one of these objects.
 */
export interface CompiledFlag {
  readonly key: string;
  readonly rules: CompiledRules;
  readonly outcomes: readonly FlagDecision[];
}

/**
 * Prepares a flag. A halted or archived flag has no rules left to try. A rule with a variant the flag does not have
 * serves the default variant, a condition of an unknown kind never holds.
 */
export function compileFlag(flag: FlagDefinition): CompiledFlag {
  const { version } = flag;
  const outcome = (key: string, reason: FlagReason, ruleIndex: number | null): FlagDecision => {
    const found = variantOf(flag, key) ?? variantOf(flag, flag.defaultVariant);
    return { value: found?.value ?? null, variant: found?.key ?? flag.defaultVariant, reason, version, ruleIndex };
  };
  const stopped = flag.halted ? 'halted' : flag.archived ? 'archived' : null;
  const live = stopped === null ? flag.rules : [];
  return {
    key: flag.key,
    rules: compileRules(live.map(targetingRule), flag.key),
    outcomes: [
      outcome(flag.defaultVariant, stopped ?? 'default', null),
      ...live.flatMap((rule, index) => variantsOf(rule).map((variant) => outcome(variant, reasonOf(rule), index))),
    ],
  };
}

/**
 * Decides a flag (docs/targeting.md, Rules).
 *
 * @returns the position in `flag.outcomes`.
 */
export function decideFlag(flag: CompiledFlag, subject: Subject): number {
  return decideRules(flag.rules, subject);
}

/** Decides a flag and returns what it serves. */
export function evaluateFlag(flag: CompiledFlag, subject: Subject): FlagDecision {
  return flag.outcomes[decideFlag(flag, subject)] as FlagDecision;
}

function variantOf(flag: FlagDefinition, key: string) {
  return flag.variants.find((variant) => variant.key === key);
}

function variantsOf({ split, variant }: FlagRule): string[] {
  return split?.length ? split.map((share) => share.variant) : [variant];
}

function reasonOf({ percentage, split }: FlagRule): FlagReason {
  return bucketsCovered(percentage) < BUCKET_COUNT || (split?.length ?? 0) > 1 ? 'rollout' : 'rule';
}
