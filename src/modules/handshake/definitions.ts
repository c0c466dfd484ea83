import { hash } from 'node:crypto';
import { cohortsInRules } from '../../targeting/cohorts/cohorts-in-rules.js';
import type { PropertyPredicate } from '../../targeting/cohorts/property-predicate.js';
import type { FlagDefinition, FlagRule } from '../../targeting/flags/flag-definition.js';
import type { Rule } from '../../targeting/rules/rule.js';
import { type ItemRule, rulesOf } from '../config/rules/item-rule.js';
import type { CohortDefinition } from '../ingest/cohorts/cohort-definitions.js';
import { parseCohortPredicate } from '../ingest/cohorts/cohort-predicate.js';
import type { ConfigDefinition } from './config-slicer.js';
import { entityTag } from './slice.js';

/** A longer list of ids isn't sent, and all lists together have at most this many ids. */
const MOST_IDS = { ofList: 1_000, together: 20_000 };

/** Each flag, config item or cohort as JSON text, by key or name and in that order. */
export type WrittenByKey = ReadonlyMap<string, string>;

/** Definitions as JSON bytes, with their strong entity tag, and their parts. */
export interface WrittenDefinitions {
  readonly body: Buffer;
  readonly etag: string;
  readonly flags: WrittenByKey;
  readonly config: WrittenByKey;
  readonly cohorts: WrittenByKey;
}

/** The input for definitions; both lists ordered by key, empty if their module is disabled. */
export interface DefinitionSource {
  /** The start of the answer: `{"project_id":…,"environment":…`. */
  readonly head: string;
  readonly flags: readonly FlagDefinition[];
  readonly items: readonly ConfigDefinition[];
  /** Everything the project has, in any order. */
  readonly cohorts: readonly CohortDefinition[];
}

/**
 * All inputs for deciding an environment's flags and config items (docs/rest.md, Definitions), for servers that make decisions themselves.
 * Includes archived flags, since other flags may depend on them, and only the cohorts that rules use.
 */
export function definitionsAnswer({ head, flags, items, cohorts }: DefinitionSource): WrittenDefinitions {
  const written = {
    flags: byKey(flags.map(writtenFlag)),
    config: byKey(items.map(writtenItem)),
    cohorts: writtenCohorts(neededCohorts(flags, items, cohorts)),
  };
  const lists = `"flags":[${listOf(written.flags)}],"config":[${listOf(written.config)}]`;
  const body = `${head},${lists},"cohorts":[${listOf(written.cohorts)}]}`;
  return { body: Buffer.from(body), etag: entityTag(body), ...written };
}

const byKey = (all: readonly { readonly key: string }[]): WrittenByKey =>
  new Map(all.map((each) => [each.key, JSON.stringify(each)]));

const listOf = (texts: WrittenByKey): string => [...texts.values()].join(',');

const writtenFlag = (flag: FlagDefinition) => ({
  key: flag.key,
  version: flag.version,
  variants: flag.variants,
  default_variant: flag.defaultVariant,
  rules: flag.rules.map(writtenFlagRule),
  prerequisites: flag.prerequisites ?? [],
  halted: flag.halted,
  archived: flag.archived,
});

const writtenFlagRule = (rule: FlagRule) => ({ ...written(rule), variant: rule.variant, split: rule.split ?? null });

const writtenItem = ({ key, type, version, value, rule, rules }: ConfigDefinition) => ({
  key,
  type,
  version,
  value,
  rules: rulesOf(rules ?? null, rule).map(writtenItemRule),
});

const writtenItemRule = (rule: ItemRule) => ({ ...written(rule), value: rule.value, split: rule.split ?? null });

const written = ({
  conditions,
  percentage,
  salt,
  bucketBy,
}: Pick<Rule, 'conditions' | 'percentage' | 'salt' | 'bucketBy'>) => ({
  conditions,
  percentage,
  salt: salt ?? null,
  bucket_by: bucketBy ?? null,
});

/** The cohorts used by rules that may be tried, by name. */
function neededCohorts(
  flags: readonly FlagDefinition[],
  items: readonly ConfigDefinition[],
  cohorts: readonly CohortDefinition[],
): CohortDefinition[] {
  const named = cohortsInRules([
    ...flags.filter(({ halted, archived }) => !halted && !archived).flatMap(({ rules }) => rules),
    ...items.flatMap(({ rules, rule }) => rulesOf(rules ?? null, rule)),
  ]);
  return cohorts
    .filter(({ name }) => named === null || named.has(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function writtenCohorts(cohorts: readonly CohortDefinition[]): WrittenByKey {
  let room = MOST_IDS.together;
  return new Map(
    cohorts.map(({ id, name, predicate, ids, rules }) => {
      const listed = ids?.length ?? 0;
      const isTold = listed <= Math.min(MOST_IDS.ofList, room);
      if (isTold) room -= listed;
      return [
        name,
        JSON.stringify({
          name,
          id,
          predicate: predicate === null ? null : readable(predicate),
          rules: (rules ?? []).map(written),
          listed,
          id_hashes: isTold ? (ids ?? []).map((distinctId) => idHash(id, distinctId)).sort() : null,
        }),
      ];
    }),
  );
}

function readable(predicate: string): PropertyPredicate | null {
  const parsed = parseCohortPredicate(predicate);
  return 'predicate' in parsed ? parsed.predicate : null;
}

/** Ids may be email addresses, which the deciding server needn't be able to recognize. */
const idHash = (cohortId: string, distinctId: string): string =>
  hash('sha256', `${cohortId}:${distinctId}`).slice(0, 16);
