import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
} from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';

const LARGEST_INT = 2_147_483_647;

/** The form of `Date.toISOString`; the last days of a month are left to the scalar, which knows the calendar. */
const INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const isText = (value: unknown): boolean => typeof value === 'string';

const PLAIN = new Map<GraphQLLeafType, (value: unknown) => boolean>([
  [GraphQLString, isText],
  [GraphQLID, isText],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
  [GraphQLDateTimeISO, (value) => typeof value === 'string' && INSTANT.test(value)],
  [GraphQLInt, (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= LARGEST_INT],
]);

const never = (): boolean => false;

/** Tells the values that the type's `serialize` would give back as they are. */
export function isPlainLeaf(type: GraphQLLeafType): (value: unknown) => boolean {
  return type instanceof GraphQLEnumType ? isPlainName(type) : (PLAIN.get(type) ?? never);
}

/** Enum values that are called what they are. */
function isPlainName(type: GraphQLEnumType): (value: unknown) => boolean {
  const plain = new Set(type.getValues().flatMap(({ name, value }) => (name === value ? [name] : [])));
  return (value) => plain.has(value as string);
}
