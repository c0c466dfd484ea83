import type { Compilation } from '../../targeting/compilation.js';
import { type CompiledItem, compileItem, decideItem } from '../../targeting/items/compiled-item.js';
import { DEFAULT_OUTCOME } from '../config/config-definitions.js';
import { type ItemRule, type RuleValue, rulesOf } from '../config/rules/item-rule.js';
import type { Outcome } from '../quotas/decisions/decision-counts.js';
import { constantSlicer, type Member, mapSlicer, type Slicer } from './slice.js';

/** A config item as decisions need it; values are wire text (docs/rest.md, Remote config). */
export interface ConfigDefinition {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly version: number;
  readonly value: string;
  readonly rule: RuleValue | null;
  /** All rules in order, unless the single rule says everything. */
  readonly rules?: readonly ItemRule[] | null;
}

export type ConfigReason = 'default' | 'rule';

export interface PreparedItem {
  readonly item: ConfigDefinition;
  readonly compiled: CompiledItem;
}

export function prepareItem(item: ConfigDefinition, compilation: Compilation): PreparedItem {
  return { item, compiled: compileItem({ ...item, rules: rulesOf(item.rules ?? null, item.rule) }, compilation) };
}

/** Answers `{enabled, values:{key:{value,type,version,reason}}, etag}` with typed values (docs/rest.md, Handshake). */
export function configSlicer(enabled: boolean, members: readonly Member[]): Slicer {
  if (!enabled) return constantSlicer('{"enabled":false,"values":{}');
  return mapSlicer('{"enabled":true,"values":{', members);
}

export function itemMember({ item, compiled }: PreparedItem): Member {
  return memberOf(item.id, item.version, compiled, textsOf(item, compiled));
}

/** Separate from the item, which takes more memory than everything that outlives it. */
function memberOf(id: string, version: number, compiled: CompiledItem, texts: readonly string[]): Member {
  return {
    texts,
    choose: (subject) => decideItem(compiled, subject),
    outcomes: () => itemOutcomes(id, version, compiled),
  };
}

const textsOf = (item: ConfigDefinition, { values }: CompiledItem): string[] =>
  values.map((value, outcome) => decisionText(item, value, outcome === 0 ? 'default' : 'rule'));

/** What an item's outcomes mean: positions of its rules, whose splits aren't distinguished. */
function itemOutcomes(id: string, version: number, { rules, values }: CompiledItem): Outcome[] {
  return values.map((_, outcome) => {
    const rule = rules.rules.findLastIndex((each) => outcome > 0 && each.outcome <= outcome);
    return { objectId: id, version, outcome: rule < 0 ? DEFAULT_OUTCOME : String(rule) };
  });
}

/** The stored text is embedded as is, so that large integers keep every digit. */
function decisionText({ key, type, version }: ConfigDefinition, value: string, reason: ConfigReason): string {
  const typed = type === 'string' ? JSON.stringify(value) : jsonOrNull(value);
  return `${JSON.stringify(key)}:{"value":${typed},"type":${JSON.stringify(type)},"version":${version},"reason":"${reason}"}`;
}

function jsonOrNull(text: string): string {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return 'null';
  }
}
