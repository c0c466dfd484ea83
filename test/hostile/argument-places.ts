import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';
import type { RootField } from '../contract/operation-documents.js';

/** The position of a value in an operation's variables. */
export interface ArgumentPlace {
  readonly path: readonly (string | number)[];
  readonly type: GraphQLInputType;
}

/**
 * Every argument of an operation, every field of its inputs and every entry of its lists; recursive inputs are entered
 * once.
 */
export function placesOf({ field }: RootField): ArgumentPlace[] {
  const within = (path: ArgumentPlace['path'], given: GraphQLInputType): ArgumentPlace[] => {
    const type = getNullableType(given);
    const parts = isListType(type)
      ? within([...path, 0], type.ofType)
      : isInputObjectType(type)
        ? Object.values(type.getFields()).flatMap((part) => within([...path, part.name], part.type))
        : [];
    return [{ path, type: given }, ...parts];
  };
  return field.args.flatMap((arg) => within([arg.name], arg.type));
}

/** A value that the type accepts, with required fields only. */
export function goodValueOf(given: GraphQLInputType): unknown {
  const type = getNullableType(given);
  if (isListType(type)) return [goodValueOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((part) => [part.name, goodValueOf(part.type)]));
  }
  return GOOD_SCALARS[type.name] ?? 'good';
}

const GOOD_SCALARS: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTimeISO: '2026-01-01T00:00:00Z',
  JSON: { a: 1 },
  JSONObject: { a: 1 },
  Upload: null,
};

/** A copy of the variables with a value at a place; missing parents are created. */
export function withValueAt(
  variables: Readonly<Record<string, unknown>>,
  { path }: ArgumentPlace,
  typeOf: (path: ArgumentPlace['path']) => GraphQLInputType,
  value: unknown,
): Record<string, unknown> {
  const copy = structuredClone(variables) as Record<string, unknown>;
  let holder: Record<string | number, unknown> = copy;
  for (const [depth, key] of path.slice(0, -1).entries()) {
    holder[key] ??= goodValueOf(typeOf(path.slice(0, depth + 1)));
    holder = holder[key] as Record<string | number, unknown>;
  }
  holder[path.at(-1) as string | number] = value;
  return copy;
}
