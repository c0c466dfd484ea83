import { BUCKET_COUNT, bucketOf, bucketsCovered } from '../../../targeting/rules/bucket.js';
import type { FlagDefinition, FlagRule } from '../flags/flag-definition.js';
import { type ConditionMatch, compileCondition, conditionKindOf, type FlagCondition } from './condition-kinds.js';
import { fastBits } from './fast-bits.js';
import type { FlagSubject } from './flag-subject.js';

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

/** One rule, ready to be tried. */
export interface CompiledRule {
  readonly matches: readonly ConditionMatch[];
  /** Buckets below this number are served. */
  readonly buckets: number;
}

/**
 * A flag, ready to be decided without looking anything up. `outcomes[0]` is what is served when no rule decides,
 * `outcomes[n + 1]` what rule n serves; decisions are always one of these objects.
 */
export interface CompiledFlag {
  readonly key: string;
  readonly rules: readonly CompiledRule[];
  readonly outcomes: readonly FlagDecision[];
  /** Whether a rule depends on what is stored about the person. */
  readonly personal: boolean;
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
    rules: live.map((rule) => ({
      matches: rule.conditions.map(compileCondition),
      buckets: bucketsCovered(rule.percentage),
    })),
    outcomes: [
      outcome(flag.defaultVariant, stopped ?? 'default', null),
      ...live.map((rule, index) => outcome(rule.variant, reasonOf(rule), index)),
    ],
    personal: live.some(({ conditions }) => conditions.some(isPersonal)),
  };
}

/**
 * Decides a flag: rules in order, the first whose conditions all hold and whose percentage covers the subject's
 * bucket. A subject without distinct id has no bucket and is in no partial rollout.
 *
 * @returns the position in `flag.outcomes`.
 */
export function decideFlag(flag: CompiledFlag, subject: FlagSubject): number {
  let bucket = -1;
  for (const [index, rule] of flag.rules.entries()) {
    if (!rule.matches.every((holds) => holds(subject))) continue;
    if (rule.buckets < BUCKET_COUNT) {
      if (subject.distinctId === null) continue;
      if (bucket < 0) bucket = bucketOf(fastBits, flag.key, subject.distinctId);
      if (bucket >= rule.buckets) continue;
    }
    return index + 1;
  }
  return 0;
}

/** Decides a flag and returns what it serves. */
export function evaluateFlag(flag: CompiledFlag, subject: FlagSubject): FlagDecision {
  return flag.outcomes[decideFlag(flag, subject)] as FlagDecision;
}

/**
 * Whether the decision for a subject without distinct id would depend on one: a partial rollout stands open to it
 * before any other rule decides.
 */
export function lacksDistinctId(flag: CompiledFlag, subject: FlagSubject): boolean {
  if (subject.distinctId !== null) return false;
  for (const rule of flag.rules) {
    if (!rule.matches.every((holds) => holds(subject))) continue;
    if (rule.buckets === BUCKET_COUNT) return false;
    if (rule.buckets > 0) return true;
  }
  return false;
}

function variantOf(flag: FlagDefinition, key: string) {
  return flag.variants.find((variant) => variant.key === key);
}

function reasonOf(rule: FlagRule): FlagReason {
  return bucketsCovered(rule.percentage) < BUCKET_COUNT ? 'rollout' : 'rule';
}

function isPersonal(condition: FlagCondition): boolean {
  return conditionKindOf(condition.attribute)?.personal ?? false;
}
