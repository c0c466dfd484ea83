import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';

/** Literals longer than this are sent only as variables. */
const LONGEST = 20_000;
const DEEPEST = 400;
const NAME = /^[_A-Za-z]\w*$/;

/** A value as a GraphQL literal; null if it cannot be written, or would be too long. */
export function literalOf(type: GraphQLInputType, value: unknown): string | null {
  try {
    const text = written(type, value, 0);
    return text.length > LONGEST ? null : text;
  } catch (error) {
    if (error instanceof Unwritable) return null;
    throw error;
  }
}

class Unwritable extends Error {}

function written(given: GraphQLInputType | undefined, value: unknown, depth: number): string {
  if (depth > DEEPEST) throw new Unwritable();
  const type = given && getNullableType(given);
  if (Array.isArray(value)) {
    const inner = isListType(type) ? type.ofType : undefined;
    return `[${value.map((entry) => written(inner, entry, depth + 1)).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(type) ? type.getFields() : {};
    const parts = Object.entries(value).map(([name, inner]) => {
      if (!NAME.test(name)) throw new Unwritable();
      return `${name}: ${written(fields[name]?.type, inner, depth + 1)}`;
    });
    return `{${parts.join(', ')}}`;
  }
  if (typeof value === 'string') {
    if (isEnumType(type) && NAME.test(value)) return value;
    // The grammar does not allow lone surrogates.
    if (!value.isWellFormed()) throw new Unwritable();
  }
  return JSON.stringify(value) ?? 'null';
}
