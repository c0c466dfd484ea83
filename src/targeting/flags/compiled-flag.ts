import { Compilation, type Question } from '../compilation.js';
import { inOrderOfNeed } from '../prerequisites/order-of-need.js';
import { BUCKET_COUNT, bucketsCovered } from '../rules/bucket.js';
import { type CompiledRules, compileRules, decideRules, lacksBucket, needsBucket } from '../rules/compile-rules.js';
import type { Subject } from '../subject.js';
import { type FlagDefinition, type FlagRule, targetingRule } from './flag-definition.js';

/** The reason for a flag's value (docs/rest.md, Flags). */
export const FLAG_REASONS = ['halted', 'archived', 'prerequisite', 'rule', 'rollout', 'default'] as const;
export type FlagReason = (typeof FLAG_REASONS)[number];

export interface FlagDecision {
  readonly value: unknown;
  readonly variant: string;
  readonly reason: FlagReason;
  readonly version: number;
  /** Index of the deciding rule, or null. */
  readonly ruleIndex: number | null;
}

/**
 * A compiled flag, which can be decided without lookups. `outcomes[0]` is served when no rule decides; then come the
 * outcomes of the rules, with a split's shares one by one, and at the end the outcome for unmet prerequisites, if there
 * are any. Decisions are always one of these objects.
 */
export interface CompiledFlag {
  readonly key: string;
  readonly rules: CompiledRules;
  readonly outcomes: readonly FlagDecision[];
  readonly prerequisites: readonly CompiledPrerequisite[];
}

/** A prerequisite on another flag; a missing flag serves no variant. */
export interface CompiledPrerequisite {
  readonly flag: CompiledFlag | null;
  readonly variants: ReadonlySet<string>;
  /** The variant that the flag serves; empty for none. */
  readonly serves: Question<string>;
  /** Whether it depends on a bucket that the subject lacks; null when that does not matter to the caller. */
  readonly lacksBucket: Question<boolean> | null;
}

/** Compiles the flags of an environment. `compilation` as in {@link compileRules}. */
export function compileFlags(flags: readonly FlagDefinition[], compilation = new Compilation()): CompiledFlag[] {
  const compiled = new Map<string, CompiledFlag>();
  for (const flag of inOrderOfNeed(flags)) compiled.set(flag.key, compileFlag(flag, compiled, compilation));
  return [...compiled.values()];
}

/**
 * Compiles a flag. A halted or archived flag has no rules to try. A rule with an unknown variant serves the default
 * variant, and a condition of an unknown kind never holds.
 *
 * @param others the flags it may depend on, by key.
 */
export function compileFlag(
  flag: FlagDefinition,
  others: ReadonlyMap<string, CompiledFlag> = NONE,
  compilation = new Compilation(),
): CompiledFlag {
  const { version } = flag;
  const outcome = (key: string, reason: FlagReason, ruleIndex: number | null): FlagDecision => {
    const found = variantOf(flag, key) ?? variantOf(flag, flag.defaultVariant);
    return { value: found?.value ?? null, variant: found?.key ?? flag.defaultVariant, reason, version, ruleIndex };
  };
  const stopped = flag.halted ? 'halted' : flag.archived ? 'archived' : null;
  const live = stopped === null ? flag.rules : [];
  const needed = stopped === null ? (flag.prerequisites ?? []) : [];
  return {
    key: flag.key,
    rules: compileRules(live.map(targetingRule), flag.key, compilation),
    prerequisites: needed.map(({ key, variants }) => {
      const other = others.get(key) ?? null;
      return {
        flag: other,
        variants: new Set(variants),
        serves: compilation.question(`flag ${key}`, () => variantServed(other)),
        lacksBucket:
          other && isOpen(other, variants)
            ? compilation.question(`bucket of flag ${key}`, () => (subject) => flagLacksBucket(other, subject))
            : null,
      };
    }),
    outcomes: [
      outcome(flag.defaultVariant, stopped ?? 'default', null),
      ...live.flatMap((rule, index) => variantsOf(rule).map((variant) => outcome(variant, reasonOf(rule), index))),
      ...(needed.length > 0 ? [outcome(flag.defaultVariant, 'prerequisite', null)] : []),
    ],
  };
}

const NONE: ReadonlyMap<string, CompiledFlag> = new Map();

/**
 * Decides a flag (docs/targeting.md, Rules and Prerequisites).
 *
 * @returns the index in `flag.outcomes`.
 */
export function decideFlag(flag: CompiledFlag, subject: Subject): number {
  return allMet(flag, subject) ? decideRules(flag.rules, subject) : flag.outcomes.length - 1;
}

export function evaluateFlag(flag: CompiledFlag, subject: Subject): FlagDecision {
  return flag.outcomes[decideFlag(flag, subject)] as FlagDecision;
}

function variantServed(flag: CompiledFlag | null): Question<string> {
  return (subject) => (flag ? evaluateFlag(flag, subject).variant : '');
}

/** Whether the decision can depend on a bucket, including that of a prerequisite. */
export function flagNeedsBucket(flag: CompiledFlag): boolean {
  return [flag, ...neededFor(flag)].some(({ rules }) => rules.rules.some(needsBucket));
}

/** Whether the decision depends on a bucket that the subject lacks, including that of a prerequisite. */
export function flagLacksBucket({ prerequisites, rules }: CompiledFlag, subject: Subject): boolean {
  let isLacking = false;
  for (const needed of prerequisites) {
    if (needed.lacksBucket?.(subject)) isLacking = true;
    else if (!needed.variants.has(needed.serves(subject))) return false;
  }
  return isLacking || lacksBucket(rules, subject);
}

/** Whether a flag serves some of the variants to some subjects, and other variants to others. */
function isOpen({ outcomes }: CompiledFlag, variants: readonly string[]): boolean {
  const asked = outcomes.filter(({ variant }) => variants.includes(variant)).length;
  return asked > 0 && asked < outcomes.length;
}

function allMet({ prerequisites }: CompiledFlag, subject: Subject): boolean {
  for (const { variants, serves } of prerequisites) if (!variants.has(serves(subject))) return false;
  return true;
}

/** A flag's direct and indirect prerequisites, each once. */
function neededFor(flag: CompiledFlag, found = new Set<CompiledFlag>()): ReadonlySet<CompiledFlag> {
  for (const { flag: needed } of flag.prerequisites) {
    if (needed === null || found.has(needed)) continue;
    found.add(needed);
    neededFor(needed, found);
  }
  return found;
}

const variantOf = (flag: FlagDefinition, key: string) => flag.variants.find((variant) => variant.key === key);

function variantsOf({ split, variant }: FlagRule): string[] {
  return split?.length ? split.map((share) => share.variant) : [variant];
}

function reasonOf({ percentage, split }: FlagRule): FlagReason {
  return bucketsCovered(percentage) < BUCKET_COUNT || (split?.length ?? 0) > 1 ? 'rollout' : 'rule';
}
