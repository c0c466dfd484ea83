import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLString,
} from 'graphql';
import { GraphQLBigInt, GraphQLDateTimeISO } from 'graphql-scalars';
import { isoText } from '../../kernel/database/instants.js';

const LARGEST_INT = 2_147_483_647;

const isText = (value: unknown): boolean => typeof value === 'string';

const PLAIN = new Map<GraphQLLeafType, (value: unknown) => boolean>([
  [GraphQLString, isText],
  [GraphQLID, isText],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
  [GraphQLBigInt, Number.isSafeInteger],
  [GraphQLInt, (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= LARGEST_INT],
]);

const never = (): boolean => false;

/** Recognizes the values that the type's `serialize` would return unchanged. */
export function isPlainLeaf(type: GraphQLLeafType): (value: unknown) => boolean {
  return type instanceof GraphQLEnumType ? isPlainName(type) : (PLAIN.get(type) ?? never);
}

/** Enum values whose name and value are the same. */
function isPlainName(type: GraphQLEnumType): (value: unknown) => boolean {
  const plain = new Set(type.getValues().flatMap(({ name, value }) => (name === value ? [name] : [])));
  return (value) => plain.has(value as string);
}

/** The type's `serialize`, skipping its checks for the most common values. */
export function serializerOf(type: GraphQLLeafType): (value: unknown) => unknown {
  const serialize = (value: unknown) => type.serialize(value);
  if (type !== GraphQLDateTimeISO) return serialize;
  return (value) => (value instanceof Date && !Number.isNaN(value.getTime()) ? isoText(value) : serialize(value));
}
