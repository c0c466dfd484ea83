import { attributeKindOf } from './attributes.js';
import type { Condition } from './condition.js';

/** Says which value nothing can equal, and what to write instead: the number `12345` for an id. Null where there is none. */
export function conditionWarning({ attribute, operator, values }: Condition): string | null {
  if (operator !== 'in' || !attributeKindOf(attribute)?.isText) return null;
  const value = values.find((each) => typeof each !== 'string');
  return value === undefined
    ? null
    : `${attribute} is always a text, which the ${typeof value} ${value} never equals; write "${value}"`;
}
