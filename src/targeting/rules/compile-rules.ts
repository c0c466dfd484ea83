import { needsOf } from '../attributes.js';
import { Compilation } from '../compilation.js';
import { compileCondition } from '../compile-condition.js';
import type { ConditionMatch } from '../condition-match.js';
import { joinNeeds, type Needs, NO_NEEDS } from '../needs.js';
import type { Subject } from '../subject.js';
import { shareFinder } from './allocation.js';
import { BUCKET_COUNT, bucketsCovered } from './bucket.js';
import { type BucketKey, bucketKey } from './bucket-key.js';
import type { Rule } from './rule.js';

export interface CompiledRule {
  readonly matches: readonly ConditionMatch[];
  /** Buckets below this number are included. */
  readonly buckets: number;
  /** Null for a rule that needs no bucket. */
  readonly key: BucketKey | null;
  /** The share of a bucket; null for a rule with one outcome. */
  readonly shareOf: ((bucket: number) => number) | null;
  /** Index of the rule's first outcome in the list. */
  readonly outcome: number;
}

/**
 * A compiled, ordered list of rules, which can be decided without lookups. Outcome 0 means that no rule applies; then
 * come the outcomes of the rules in order, one per share of a split.
 */
export interface CompiledRules {
  readonly rules: readonly CompiledRule[];
  /** The stored data about the person that a rule may need. */
  readonly needs: Needs;
  /** Whether a rule depends on the clock. */
  readonly timed: boolean;
}

/**
 * Compiles rules.
 *
 * @param salt used for rules without their own.
 * @param compilation shared with other lists that are decided for the same subjects.
 */
export function compileRules(rules: readonly Rule[], salt: string, compilation = new Compilation()): CompiledRules {
  if (rules.length === 0) return NO_RULES;
  let [outcome, timed] = [1, false];
  const needs: Needs[] = [];
  const compiled = rules.map((rule): CompiledRule => {
    const conditions = rule.conditions.map((condition) => compileCondition(condition, compilation));
    const split = rule.split?.length ? rule.split : null;
    const first = outcome;
    outcome += split?.length ?? 1;
    needs.push(...conditions.map((condition) => condition.needs), needsOf(rule.bucketBy || 'distinct_id'));
    timed ||= conditions.some((condition) => condition.timed);
    const buckets = bucketsCovered(rule.percentage);
    const shareOf = split && split.length > 1 ? shareFinder(split) : null;
    const isBucketed = buckets > 0 && (buckets < BUCKET_COUNT || shareOf !== null);
    return {
      matches: conditions.map(({ holds }) => holds),
      buckets,
      key: isBucketed ? bucketKey(rule, salt, compilation) : null,
      shareOf,
      outcome: first,
    };
  });
  return { rules: compiled, needs: joinNeeds(needs), timed };
}

const NO_RULES: CompiledRules = { rules: [], needs: NO_NEEDS, timed: false };

/**
 * Decides a list of rules: the first rule applies whose conditions all hold and whose percentage covers the subject's
 * bucket. A subject without a value to bucket by is in no partial rollout and no split.
 */
export function decideRules({ rules }: CompiledRules, subject: Subject): number {
  for (const { matches, buckets, key, shareOf, outcome } of rules) {
    if (buckets === 0 || !allHold(matches, subject)) continue;
    if (key === null) return outcome;
    if (buckets < BUCKET_COUNT) {
      const bucket = key.rollout(subject);
      if (bucket < 0 || bucket >= buckets) continue;
    }
    if (shareOf === null) return outcome;
    const bucket = key.share(subject);
    if (bucket >= 0) return outcome + shareOf(bucket);
  }
  return 0;
}

export const needsBucket = ({ key }: CompiledRule): boolean => key !== null;

/**
 * Whether the decision depends on a bucket that the subject lacks: it reaches a partial rollout or a split before any
 * other rule decides.
 */
export function lacksBucket({ rules }: CompiledRules, subject: Subject): boolean {
  // Almost every subject has a value to bucket by, and then nothing needs to be tried.
  if (rules.every(({ key }) => key === null || key.id(subject) !== null)) return false;
  for (const { matches, buckets, key } of rules) {
    if (buckets === 0 || !allHold(matches, subject)) continue;
    if (key === null) return false;
    const bucket = key.rollout(subject);
    if (bucket < 0) return true;
    if (bucket < buckets) return false;
  }
  return false;
}

function allHold(matches: readonly ConditionMatch[], subject: Subject): boolean {
  for (const holds of matches) if (!holds(subject)) return false;
  return true;
}
