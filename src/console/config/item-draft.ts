import type { ConfigValueType, ItemWholeFragment } from '#documents';
import { parsedOr } from '../parts/fields/typed-values.js';
import { draftsOf, inputOf, type RuleDraft } from '../rules/rule-draft.js';

export interface ItemDraft {
  description: string;
  value: string;
  /** As text; empty if there is no schema. */
  jsonSchema: string;
  rules: readonly RuleDraft[];
}

export const itemDraftOf = ({ description, defaultValue, jsonSchema, rules, type }: ItemWholeFragment): ItemDraft => ({
  description,
  value: readable(type, defaultValue),
  jsonSchema: jsonSchema === null ? '' : JSON.stringify(jsonSchema, null, 2),
  rules: draftsOf(rules, ({ value, split }) => ({
    serves: value,
    split: split?.map((share) => ({ serves: share.value, weight: share.weight })) ?? null,
  })),
});

/** The draft as `updateConfigItem` expects it. Fails if the schema isn't JSON. */
export const itemInputOf = ({ description, value, jsonSchema, rules }: ItemDraft) => ({
  description,
  value,
  jsonSchema: jsonSchema.trim() === '' ? null : (JSON.parse(jsonSchema) as unknown),
  rules: rulesInputOf(rules),
});

const rulesInputOf = (rules: readonly RuleDraft[]) =>
  rules.map((rule) => ({
    ...inputOf(rule),
    ...(rule.split
      ? { split: rule.split.map(({ serves, weight }) => ({ value: serves, weight })) }
      : { value: rule.serves }),
  }));

/** Each part of a draft in readable form, used to compare two drafts. Only JSON is compared as JSON. */
export const itemPartsOf =
  (type: ConfigValueType) =>
  ({ description, value, jsonSchema, rules }: ItemDraft) => ({
    description,
    value: readable(type, value),
    jsonSchema: pretty(jsonSchema),
    rules: rulesInputOf(rules),
  });

/** A value in readable form. */
export const readable = (type: ConfigValueType, value: string): string => (type === 'json' ? pretty(value) : value);

const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON text broken into lines, with every token as written: JavaScript would round large integers. Other text is unchanged. */
function pretty(text: string): string {
  if (parsedOr(text, undefined) === undefined) return text;
  let lines = '';
  let depth = 0;
  let before = '';
  for (const token of text.match(TOKEN) ?? []) {
    const isFirst = before === '{' || before === '[';
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    if (isEnd ? !isFirst : isFirst || before === ',') lines += `\n${'  '.repeat(depth)}`;
    if (before === ':') lines += ' ';
    lines += token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return lines;
}
