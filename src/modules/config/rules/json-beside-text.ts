import { rulesWithoutEmails } from '../../../kernel/targeting/conditions-without-emails.js';
import { parseValue, type ValueTypeName } from '../value-types.js';
import type { ItemRule } from './item-rule.js';

/** A value as text on the wire, and what the text stands for. */
export interface ValueWithJson {
  readonly value: string | null;
  readonly json: unknown;
}

/**
 * A class, because V8 gives every object literal with a getter a hidden class of its own, which keeps all that the getter sees alive until
 * the next full collection.
 */
class BesideText implements ValueWithJson {
  declare readonly value: string | null;
  /** Not `private`: that would be a member among those of what is given. */
  readonly #type: ValueTypeName;

  constructor(type: ValueTypeName, given: object) {
    Object.assign(this, given);
    this.#type = type;
  }

  get json(): unknown {
    return this.value === null ? null : parseValue(this.#type, this.value);
  }
}

/** The same with `json` beside its `value`, read from the text when it is asked for. */
export function withJson<T extends { readonly value: string | null }>(
  type: ValueTypeName,
  given: T,
): T & ValueWithJson {
  return new BesideText(type, given) as ValueWithJson as T & ValueWithJson;
}

/** Rules of an item of this type with `json` beside each `value`, those of splits too. */
export function rulesWithJson(type: ValueTypeName, rules: readonly ItemRule[]): readonly ItemRule[] {
  return rules.map((rule) =>
    withJson(type, rule.split ? { ...rule, split: rule.split.map((share) => withJson(type, share)) } : rule),
  );
}

/** {@link rulesWithoutEmails} of what {@link rulesWithJson} made. */
export function rulesWithJsonWithoutEmails(type: ValueTypeName, rules: readonly ItemRule[]): readonly ItemRule[] {
  const shown = rulesWithoutEmails(rules);
  return shown === rules ? rules : rulesWithJson(type, shown);
}
