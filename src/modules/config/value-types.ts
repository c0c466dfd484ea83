import { enumType } from '../../kernel/values/enum-type.js';

/** How the type of a config item reads its text, one row per type. */
interface ValueType {
  /** The JSON value of the wire text, or undefined if the text is not of this type. */
  parse(text: string): unknown;
}

const INT = /^-?(0|[1-9]\d*)$/;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const VALUE_TYPES = {
  string: { parse: (text) => text },
  int: {
    parse: (text) => (INT.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  },
  float: {
    parse: (text) => {
      const value = parseJson(text);
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    },
  },
  bool: { parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined) },
  json: { parse: parseJson },
} as const satisfies Record<string, ValueType>;

export type ValueTypeName = keyof typeof VALUE_TYPES;
export const VALUE_TYPE_NAMES = Object.keys(VALUE_TYPES) as ValueTypeName[];

export const ConfigValueType = enumType('ConfigValueType', VALUE_TYPE_NAMES, {
  description: 'Set when an item is created; cannot be changed.',
});

/** The JSON value of a config item's text; undefined if the text is not of the type. */
export const parseValue = (type: ValueTypeName, text: string): unknown => VALUE_TYPES[type].parse(text);

/** `value_snapshot` (docs/rest.md, Remote config): JSON text for every type, so a string is quoted and the rest stays as written. */
export function snapshotOf(type: ValueTypeName, text: string): string {
  return type === 'string' ? JSON.stringify(text) : text;
}

/** The wire text of a `value_snapshot`. */
export function valueOfSnapshot(type: ValueTypeName, snapshot: string): string {
  return type === 'string' ? String(JSON.parse(snapshot)) : snapshot;
}
