import type { FlagDefinition, FlagRule } from '../../targeting/flags/flag-definition.js';
import type { Rule } from '../../targeting/rules/rule.js';
import { type ItemRule, rulesOf } from '../config/rules/item-rule.js';
import type { ConfigDefinition } from './config-slicer.js';
import { entityTag } from './slice.js';

/** Each flag or config item as JSON text, by key and in the order of the keys. */
export type WrittenByKey = ReadonlyMap<string, string>;

/** Definitions as JSON bytes, with the strong entity tag of them, and what they consist of. */
export interface WrittenDefinitions {
  readonly body: Buffer;
  readonly etag: string;
  readonly flags: WrittenByKey;
  readonly config: WrittenByKey;
}

/** What definitions are written from; both lists in the order of their keys, empty where their module is disabled. */
export interface DefinitionSource {
  /** The beginning of the answer: `{"project_id":…,"environment":…`. */
  readonly head: string;
  readonly flags: readonly FlagDefinition[];
  readonly items: readonly ConfigDefinition[];
}

/**
 * All that flags and config items of an environment are decided by (docs/rest.md, Definitions), for servers that decide themselves. Archived
 * flags are among them, since others may ask for them.
 */
export function definitionsAnswer({ head, flags, items }: DefinitionSource): WrittenDefinitions {
  const written = { flags: byKey(flags.map(writtenFlag)), config: byKey(items.map(writtenItem)) };
  const body = `${head},"flags":[${listOf(written.flags)}],"config":[${listOf(written.config)}]}`;
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
