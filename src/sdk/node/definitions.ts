import { hash } from 'node:crypto';
import type { CohortDefinition } from '../../targeting/cohorts/compiled-cohort.js';
import type { PropertyPredicate } from '../../targeting/cohorts/property-predicate.js';
import type { Condition } from '../../targeting/condition.js';
import type { FlagDefinition, FlagVariant } from '../../targeting/flags/flag-definition.js';
import type { ItemDefinition } from '../../targeting/items/compiled-item.js';
import type { BucketRange } from '../../targeting/rules/allocation.js';

/** A rule as `GET /api/v1/switch/definitions` returns it: a flag's rule gives a variant, a config item's a value. */
interface WrittenRule {
  readonly conditions: readonly Condition[];
  readonly percentage: number;
  readonly salt?: string | null;
  readonly bucket_by?: string | null;
}

interface WrittenFlagRule extends WrittenRule {
  readonly variant: string;
  readonly split?: readonly { variant: string; weight: number; buckets?: readonly BucketRange[] }[] | null;
}

interface WrittenItemRule extends WrittenRule {
  readonly value: string;
  readonly split?: readonly { value: string; weight: number; buckets?: readonly BucketRange[] }[] | null;
}

export interface WrittenFlag {
  readonly key: string;
  readonly version: number;
  readonly variants: readonly FlagVariant[];
  readonly default_variant: string;
  readonly rules: readonly WrittenFlagRule[];
  readonly prerequisites?: readonly { key: string; variants: readonly string[] }[];
  readonly halted?: boolean;
  readonly archived?: boolean;
}

export interface WrittenItem {
  readonly key: string;
  readonly type: string;
  readonly version: number;
  /** Always a string, whatever the type. */
  readonly value: string;
  readonly rules: readonly WrittenItemRule[];
}

export interface WrittenCohort {
  readonly name: string;
  /** The salt of its percentages. */
  readonly id: string;
  readonly predicate: PropertyPredicate | null;
  readonly rules: readonly WrittenRule[];
  /** Number of listed ids. */
  readonly listed: number;
  /**
   * For each listed id, the first 16 hex digits of the SHA-256 of `id:listed id`; null when the server does not send
   * them.
   */
  readonly id_hashes: readonly string[] | null;
}

/**
 * Everything that decisions in one project and environment are made from, as the server sends it (docs/rest.md,
 * Definitions).
 */
export interface Definitions {
  readonly flags: readonly WrittenFlag[];
  readonly config: readonly WrittenItem[];
  /** The cohorts that rules use; servers before 0.2 send none. */
  readonly cohorts?: readonly WrittenCohort[] | undefined;
}

/** Parses definitions from JSON; null when it is something else. */
export function definitionsOf(body: unknown): Definitions | null {
  const { flags, config, cohorts } = (body ?? {}) as Partial<Definitions>;
  if (!Array.isArray(flags) || !Array.isArray(config)) return null;
  return Array.isArray(cohorts) ? { flags, config, cohorts } : { flags, config };
}

/** A flag as the evaluator reads it. */
export function flagOf(flag: WrittenFlag): FlagDefinition {
  const { key, version, variants, default_variant, rules, prerequisites = [], halted, archived } = flag;
  return {
    key,
    version,
    variants,
    defaultVariant: default_variant,
    rules: rules.map(({ conditions, percentage, variant, split, salt, bucket_by }) => ({
      conditions,
      percentage,
      variant,
      ...(split ? { split } : {}),
      ...(salt ? { salt } : {}),
      ...(bucket_by ? { bucketBy: bucket_by } : {}),
    })),
    prerequisites,
    halted: halted ?? false,
    archived: archived ?? false,
  };
}

/** A config item as the evaluator reads it. */
export function itemOf({ key, value, rules }: WrittenItem): ItemDefinition {
  return { key, value, rules: rules.map(ruleOf) };
}

/** A cohort as the evaluator reads it. */
export function cohortOf({ id, name, predicate, rules, id_hashes }: WrittenCohort): CohortDefinition {
  const known = new Set(id_hashes);
  const lists = (distinctId: string): boolean => known.has(hash('sha256', `${id}:${distinctId}`).slice(0, 16));
  return { id, name, predicate, rules: rules.map(ruleOf), lists: known.size > 0 ? lists : null };
}

const ruleOf = <Rule extends WrittenRule>({ bucket_by, ...rule }: Rule) => ({ ...rule, bucketBy: bucket_by ?? null });

/** Parses an item's string value; undefined when it does not have the item's type. */
export function valueOfText(type: string, text: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
