import type { ItemWholeFragment } from '#documents';
import { draftOf, inputOf, type RuleDraft } from '../rules/rule-draft.js';

/** What can be edited of an item. */
export interface ItemDraft {
  description: string;
  value: string;
  /** As text; empty for no schema. */
  schema: string;
  rules: readonly RuleDraft[];
}

export const itemDraftOf = ({ description, defaultValue, jsonSchema, rules, type }: ItemWholeFragment): ItemDraft => ({
  description,
  value: type === 'json' ? pretty(defaultValue) : defaultValue,
  schema: jsonSchema === null ? '' : JSON.stringify(jsonSchema, null, 2),
  rules: rules.map((rule) =>
    draftOf(rule, rule.value, rule.split?.map(({ value, weight }) => ({ serves: value, weight })) ?? null),
  ),
});

/** The draft as `updateConfigItem` takes it. Fails where the schema is not JSON. */
export const itemInputOf = ({ description, value, schema, rules }: ItemDraft) => ({
  description,
  value,
  jsonSchema: schema.trim() === '' ? null : (JSON.parse(schema) as unknown),
  rules: rulesInputOf(rules),
});

const rulesInputOf = (rules: readonly RuleDraft[]) =>
  rules.map((rule) => ({
    ...inputOf(rule),
    ...(rule.split
      ? { split: rule.split.map(({ serves, weight }) => ({ value: serves, weight })) }
      : { value: rule.serves }),
  }));

/** Each part of a draft as a person reads it; two drafts are compared by these. */
export const itemParts = ({ description, value, schema, rules }: ItemDraft) => ({
  description,
  value: parsed(value),
  schema: parsed(schema),
  rules: rulesInputOf(rules),
});

/** JSON text as the value it means, other text as it is. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const pretty = (text: string): string => JSON.stringify(parsed(text), null, 2);
