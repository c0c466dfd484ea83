import { rulesWithoutEmails } from '../../../kernel/targeting/conditions-without-emails.js';
import { parseValue, type ValueTypeName } from '../value-types.js';
import type { ItemRule } from './item-rule.js';

/** A value as wire text, with its parsed JSON. */
export interface ValueWithJson {
  readonly value: string | null;
  readonly json: unknown;
}

/**
 * A class, because V8 gives every object literal with a getter its own hidden class, which keeps everything the getter sees alive until the
 * next full collection.
 */
class BesideText implements ValueWithJson {
  declare readonly value: string | null;
  /** Not `private`, which would add a member to the type of what is given. */
  readonly #type: ValueTypeName;

  constructor(type: ValueTypeName, given: object) {
    Object.assign(this, given);
    this.#type = type;
  }

  get json(): unknown {
    return this.value === null ? null : parseValue(this.#type, this.value);
  }
}

/** The same with `json` beside its `value`, parsed from the text on demand. */
export function withJson<T extends { readonly value: string | null }>(
  type: ValueTypeName,
  given: T,
): T & ValueWithJson {
  return new BesideText(type, given) as ValueWithJson as T & ValueWithJson;
}

/** Rules of an item of this type with `json` beside each `value`, including those of splits. */
export function rulesWithJson(type: ValueTypeName, rules: readonly ItemRule[]): readonly ItemRule[] {
  return rules.map((rule) =>
    withJson(type, rule.split ? { ...rule, split: rule.split.map((share) => withJson(type, share)) } : rule),
  );
}

/** {@link rulesWithoutEmails} for the result of {@link rulesWithJson}. */
export function rulesWithJsonWithoutEmails(type: ValueTypeName, rules: readonly ItemRule[]): readonly ItemRule[] {
  const shown = rulesWithoutEmails(rules);
  return shown === rules ? rules : rulesWithJson(type, shown);
}
