import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { isPageSize } from '../paging.js';
import { type NestedPage, plainSize, type ReadAlong } from './read-along.js';

/** What a query asks of a list besides its nodes' own fields. */
export interface AskedOfList {
  /** The GraphQL type of the nodes. */
  readonly nodes: string;
  /** Whether it must say how long it is. */
  readonly total: boolean;
  /** Lists of each node that can be read in the statement of the nodes. */
  readonly nested: readonly NestedPage[];
}

const TOTAL: ReadonlySet<string> = new Set(['totalCount', 'isEstimate']);

/** What the running field is asked for; null where it is no list. */
export function askedOfList(info: GraphQLResolveInfo): AskedOfList | null {
  const connection = getNamedType(info.returnType);
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined;
  if (!nodes) return null;
  const type = getNamedType(nodes.type) as GraphQLObjectType;
  const below = fieldsBelow(info, info.fieldNodes);
  const edges = below.filter(({ name }) => name.value === 'edges');
  const asked = [
    ...below.filter(({ name }) => name.value === 'nodes'),
    ...fieldsBelow(info, edges).filter(({ name }) => name.value === 'node'),
  ];
  return {
    nodes: type.name,
    total: wantsTotal(below),
    nested: nestedIn(info, type, fieldsBelow(info, asked)),
  };
}

function nestedIn(info: GraphQLResolveInfo, type: GraphQLObjectType, asked: readonly FieldNode[]): NestedPage[] {
  const nested: NestedPage[] = [];
  const counted = new Set<unknown>();
  for (const node of asked) {
    const along = type.getFields()[node.name.value]?.extensions.readAlong as ReadAlong | undefined;
    if (!along) continue;
    const { list, answer } = along;
    // The lists of all owners are counted in the statement that reads them by themselves.
    if (wantsTotal(fieldsBelow(info, [node]))) counted.add(list);
    const first = answer ? 1 : sizeOf(info, type, node);
    if (first && !nested.some((known) => known.along.list === list && known.first === first))
      nested.push({ along, first });
  }
  return nested.filter(({ along }) => !counted.has(along.list));
}

const wantsTotal = (fields: readonly FieldNode[]): boolean => fields.some(({ name }) => TOTAL.has(name.value));

/** The page size of a nested list; null for what its own resolver sees to, arguments that do not hold among them. */
function sizeOf({ variableValues }: GraphQLResolveInfo, type: GraphQLObjectType, node: FieldNode): number | null {
  const field = type.getFields()[node.name.value];
  try {
    const first = field ? plainSize(getArgumentValues(field, node, variableValues)) : null;
    return isPageSize(first) ? first : null;
  } catch {
    return null;
  }
}

function fieldsBelow({ fragments }: GraphQLResolveInfo, nodes: readonly FieldNode[]): FieldNode[] {
  const found: FieldNode[] = [];
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) found.push(selection);
      else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  for (const { selectionSet } of nodes) if (selectionSet) collect(selectionSet);
  return found;
}
