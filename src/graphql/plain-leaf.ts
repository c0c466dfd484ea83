import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, type GraphQLLeafType, GraphQLString } from 'graphql';

const LARGEST_INT = 2_147_483_647;

const isText = (value: unknown): boolean => typeof value === 'string';

const PLAIN = new Map<GraphQLLeafType, (value: unknown) => boolean>([
  [GraphQLString, isText],
  [GraphQLID, isText],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
  [GraphQLFloat, (value) => typeof value === 'number' && Number.isFinite(value)],
  [GraphQLInt, (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= LARGEST_INT],
]);

const never = (): boolean => false;

/** Tells the values that the type's `serialize` would give back as they are. */
export function isPlainLeaf(type: GraphQLLeafType): (value: unknown) => boolean {
  return PLAIN.get(type) ?? never;
}
