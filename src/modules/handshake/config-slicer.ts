import { type CompiledRules, compileRules, decideRules } from '../../targeting/rules/compile-rules.js';
import { type ItemRule, type RuleValue, rulesOf } from '../config/rules/item-rule.js';
import { constantSlicer, type Member, mapSlicer, type Slicer } from './slice.js';

/** A config item as decisions need it; values are text as on the wire (docs/rest.md, Remote config). */
export interface ConfigDefinition {
  readonly key: string;
  readonly type: string;
  readonly version: number;
  readonly value: string;
  readonly rule: RuleValue | null;
  /** All rules in order, where the one does not say all. */
  readonly rules?: readonly ItemRule[] | null;
}

/** Why a config item has the value it has. */
export type ConfigReason = 'default' | 'rule';

/** An item, ready to be decided: its rules, and the values of their outcomes but the first, which is the item's own value. */
export interface CompiledItem {
  readonly item: ConfigDefinition;
  readonly rules: CompiledRules;
  readonly values: readonly string[];
}

/** Prepares an item. */
export function compileItem(item: ConfigDefinition): CompiledItem {
  const rules = rulesOf(item.rules ?? null, item.rule);
  const values = rules.flatMap(({ value, split }) => (split?.length ? split.map((share) => share.value) : [value]));
  return { item, rules: compileRules(rules, item.key), values };
}

/** Answers `{enabled, values:{key:{value,type,version,reason}}, etag}` with typed values (docs/rest.md, Handshake). */
export function configSlicer(enabled: boolean, items: readonly CompiledItem[]): Slicer {
  if (!enabled) return constantSlicer('{"enabled":false,"values":{}');
  return mapSlicer('{"enabled":true,"values":{', items.map(member));
}

function member({ item, values, rules }: CompiledItem): Member {
  const texts = [
    decisionText(item, item.value, 'default'),
    ...values.map((value) => decisionText(item, value, 'rule')),
  ];
  return { texts, choose: (subject) => decideRules(rules, subject) };
}

/** The stored text is embedded as it is, so that large integers keep every digit. */
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
