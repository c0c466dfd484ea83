import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { DEFAULT_PAGE, MAX_PAGE } from '../kernel/paging.js';

/** Arguments that set how many nodes a list returns. */
export const SIZES: ReadonlySet<string> = new Set(['first', 'last']);

/** Assumed length of a list without a page size, such as a rule's conditions. */
const USUAL_LENGTH = 3;
/** No input has a longer list. */
const MOST_ANSWERS = 1_000;

/** A field's result: the type, and the maximum number of objects. */
interface AnsweredField {
  readonly type: GraphQLNamedType;
  /** Pages of a connection; one result per entry of an input list; the assumed length of a list; or just one. */
  readonly items: 'page' | 'given' | 'usual' | 'one';
}

/** The result of a field of a type; undefined for `__typename` and for types without fields. */
export function answeredField(parent: GraphQLNamedType | undefined, name: string): AnsweredField | undefined {
  const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  if (!definition || !parent) return undefined;
  const type = getNamedType(definition.type);
  if (isConnection(type)) return { type, items: 'page' };
  // Their connection has been counted.
  if (!isList(definition.type) || !isCompositeType(type) || isConnection(parent)) return { type, items: 'one' };
  return { type, items: parent.name === 'Mutation' ? 'given' : 'usual' };
}

/** How many objects a field can return, given its arguments. */
export function itemsOf(
  { items }: AnsweredField,
  node: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const valuesOf = (isSize: boolean): unknown[] =>
    (node.arguments ?? [])
      .filter(({ name }) => SIZES.has(name.value) === isSize)
      .map(({ value }) => valueFromASTUntyped(value, variables));
  const sizes = valuesOf(true);
  if (sizes.length > 0) return Math.max(...sizes.map(bounded));
  if (items === 'page') return DEFAULT_PAGE;
  if (items === 'given') return Math.min(longestList(valuesOf(false)), MOST_ANSWERS);
  return items === 'usual' ? USUAL_LENGTH : 1;
}

const isConnection = (type: GraphQLNamedType): boolean => isObjectType(type) && type.name.endsWith('Connection');

const isList = (type: GraphQLOutputType): boolean => (isNonNullType(type) ? isList(type.ofType) : isListType(type));

function longestList(values: readonly unknown[]): number {
  const lists = values.flatMap((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value) : [value],
  );
  return Math.max(1, ...lists.map((list) => (Array.isArray(list) ? list.length : 1)));
}

const bounded = (size: unknown): number =>
  typeof size === 'number' ? Math.min(Math.max(size, 1), MAX_PAGE) : DEFAULT_PAGE;
