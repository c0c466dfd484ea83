import { hash } from 'node:crypto';
import type { CohortDefinition } from '../../targeting/cohorts/compiled-cohort.js';
import type { PropertyPredicate } from '../../targeting/cohorts/property-predicate.js';
import type { Condition } from '../../targeting/condition.js';
import type { FlagDefinition, FlagVariant } from '../../targeting/flags/flag-definition.js';
import type { ItemDefinition } from '../../targeting/items/compiled-item.js';
import type { BucketRange } from '../../targeting/rules/allocation.js';

/** A rule as `GET /api/v1/switch/definitions` writes it: a flag's gives a variant, an item's a value. */
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
  /** As text, whatever the type. */
  readonly value: string;
  readonly rules: readonly WrittenItemRule[];
}

export interface WrittenCohort {
  readonly name: string;
  /** The salt of its percentages. */
  readonly id: string;
  readonly predicate: PropertyPredicate | null;
  readonly rules: readonly WrittenRule[];
  /** How many ids it lists. */
  readonly listed: number;
  /** Of each listed id the first 16 digits of the SHA-256 of `id:listed id`, hexadecimal; null where they are not told. */
  readonly id_hashes: readonly string[] | null;
}

/** All that decisions of one project and environment are made from, as the server writes it (docs/rest.md, Definitions). */
export interface Definitions {
  readonly flags: readonly WrittenFlag[];
  readonly config: readonly WrittenItem[];
  /** Those that a rule asks for; servers before 0.2 tell none. */
  readonly cohorts?: readonly WrittenCohort[] | undefined;
}

/** Definitions in JSON; null when it is something else. */
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

/** The value that an item's text stands for; undefined when the text is not of the type. */
export function valueOfText(type: string, text: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
