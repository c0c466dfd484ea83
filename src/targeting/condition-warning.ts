import { attributeKindOf } from './attributes.js';
import type { Condition } from './condition.js';

/**
 * Names a value that nothing can equal, such as the number `12345` for an id, and what to write instead; null without
 * one.
 */
export function conditionWarning({ attribute, operator, values }: Condition): string | null {
  if (operator !== 'in' || !attributeKindOf(attribute)?.isText) return null;
  const value = values.find((each) => typeof each !== 'string');
  return value === undefined
    ? null
    : `${attribute} is always a text, so it never equals the ${typeof value} ${value}; write "${value}"`;
}
