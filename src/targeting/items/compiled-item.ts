import type { Compilation } from '../compilation.js';
import { type CompiledRules, compileRules, decideRules } from '../rules/compile-rules.js';
import type { Rule } from '../rules/rule.js';
import type { Subject } from '../subject.js';

/**
 * A rule of a config item: it gives its value, or a value of its split by weight. Values are strings, as in the API.
 */
export interface ValueRule extends Rule {
  readonly value: string;
}

export interface ItemDefinition {
  readonly key: string;
  /** Served when no rule decides. */
  readonly value: string;
  readonly rules: readonly ValueRule[];
}

/** A compiled item: its rules and the values of their outcomes, the first of which is the item's own value. */
export interface CompiledItem {
  readonly rules: CompiledRules;
  readonly values: readonly string[];
}

/** Compiles an item. `compilation` as in {@link compileRules}. */
export function compileItem({ key, value: own, rules }: ItemDefinition, compilation: Compilation): CompiledItem {
  const values = rules.flatMap(({ value, split }) => (split?.length ? split.map((share) => share.value) : [value]));
  return { rules: compileRules(rules, key, compilation), values: [own, ...values] };
}

/**
 * Decides an item (docs/targeting.md, Rules).
 *
 * @returns the index in `item.values`.
 */
export const decideItem = ({ rules }: CompiledItem, subject: Subject): number => decideRules(rules, subject);
