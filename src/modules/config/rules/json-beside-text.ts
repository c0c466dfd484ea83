import { parseValue, type ValueTypeName } from '../value-types.js';
import type { ItemRule } from './item-rule.js';

/** A value as text on the wire, and what the text stands for. */
export interface ValueWithJson {
  readonly value: string | null;
  readonly json: unknown;
}

/** The same with `json` beside its `value`, read from the text when it is asked for. */
export function withJson<T extends { readonly value: string | null }>(
  type: ValueTypeName,
  given: T,
): T & ValueWithJson {
  return {
    ...given,
    get json() {
      return given.value === null ? null : parseValue(type, given.value);
    },
  };
}

/** Rules of an item of this type with `json` beside each `value`, those of splits too. */
export function rulesWithJson(type: ValueTypeName, rules: readonly ItemRule[]): readonly ItemRule[] {
  return rules.map((rule) =>
    withJson(type, rule.split ? { ...rule, split: rule.split.map((share) => withJson(type, share)) } : rule),
  );
}
