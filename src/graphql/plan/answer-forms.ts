import type { PlannedField } from './query-plan.js';

/** What an answer is put together as. */
export interface AnswerForm {
  readonly none: unknown;
  /** Of a value that was serialized. */
  leaf(value: unknown): unknown;
  /** Of the answers of all fields, in their order. */
  object(fields: readonly PlannedField[], values: readonly unknown[]): unknown;
  list(items: readonly unknown[]): unknown;
  /** Of a list that came late: its items, or what `list` has made of them already. */
  readonly lateList: ((list: unknown) => unknown) | undefined;
}

/** Objects, as graphql-js answers. */
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
      // `JSON.stringify` leaves out what it knows no text for.
      if (value === undefined) continue;
      const { opening, continuing } = fields[at] as PlannedField;
      text += (text === '' ? opening : continuing) + value;
    }
    return text === '' ? '{}' : `${text}}`;
  },
  list: textOfList,
  lateList: (list) => (Array.isArray(list) ? textOfList(list) : list),
};

function textOfList(items: readonly unknown[]): string {
  return `[${items.map((item) => item ?? 'null').join(',')}]`;
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
