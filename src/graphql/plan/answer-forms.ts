import type { PlannedField } from './query-plan.js';

export interface AnswerForm {
  readonly none: unknown;
  /** From a serialized value. */
  leaf(value: unknown): unknown;
  /** From the results of all fields, in order. */
  object(fields: readonly PlannedField[], values: readonly unknown[]): unknown;
  list(items: readonly unknown[]): unknown;
  /** From a list that resolved later: its items, or what `list` has made of them already. */
  readonly lateList: ((list: unknown) => unknown) | undefined;
}

/** Objects, as graphql-js returns. */
export const AS_OBJECTS: AnswerForm = {
  none: null,
  leaf: (value) => value,
  object: (fields, values) => {
    const answer: Record<string, unknown> = {};
    for (let at = 0; at < fields.length; at += 1) answer[(fields[at] as PlannedField).responseName] = values[at];
    return answer;
  },
  list: (items) => items,
  lateList: undefined,
};

/** The text that `JSON.stringify` makes of those objects. */
export const AS_TEXT: AnswerForm = {
  none: 'null',
  leaf: jsonText,
  object: (fields, values) => {
    let text = '';
    for (let at = 0; at < fields.length; at += 1) {
      const value = values[at];
      // `JSON.stringify` leaves out values it has no text for.
      if (value === undefined) continue;
      const { opening, continuing } = fields[at] as PlannedField;
      text += (text === '' ? opening : continuing) + value;
    }
    return text === '' ? '{}' : `${text}}`;
  },
  list: textOfList,
  lateList: (list) => (Array.isArray(list) ? textOfList(list) : list),
};

/** Appends item by item: V8 joins such texts once, at the end, where `join` would copy each list within a list again. */
function textOfList(items: readonly unknown[]): string {
  let text = '[';
  for (let at = 0; at < items.length; at += 1) text += `${at === 0 ? '' : ','}${items[at] ?? 'null'}`;
  return `${text}]`;
}

const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/;

function jsonText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      return JSON.stringify(value);
  }
}
