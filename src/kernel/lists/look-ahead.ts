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

/** What a query requests of a list besides its nodes' own fields. */
export interface ListSelection {
  readonly nodes: string;
  readonly total: boolean;
  /** Nested lists that can be read in the same statement as the nodes. */
  readonly nested: readonly NestedPage[];
  /** The properties that the nodes' fields need; null for all, when that is unknown. */
  readonly properties: readonly string[] | null;
}

const TOTAL: ReadonlySet<string> = new Set(['totalCount', 'isEstimate']);

/** Cached by field nodes that do not depend on variables; query plans keep these nodes. */
const fixed = new WeakMap<readonly FieldNode[], ListSelection | null>();

/** What the current field is asked for; null when it is not a list. */
export function listSelection(info: GraphQLResolveInfo): ListSelection | null {
  const known = fixed.get(info.fieldNodes);
  if (known !== undefined) return known;
  const selection = lookAhead(info);
  if (selection === null || selection.isFixed) fixed.set(info.fieldNodes, selection);
  return selection;
}

function lookAhead(info: GraphQLResolveInfo): (ListSelection & { isFixed: boolean }) | null {
  const connection = getNamedType(info.returnType);
  const nodes = isObjectType(connection) ? connection.getFields().nodes : undefined;
  if (!nodes) return null;
  const type = getNamedType(nodes.type) as GraphQLObjectType;
  const below = fieldsBelow(info, info.fieldNodes);
  const selected = fieldsOfNodes(info, below);
  return {
    nodes: type.name,
    total: wantsTotal(below),
    nested: nestedIn(info, type, selected),
    properties: propertiesOf(type, selected),
    isFixed: selected.every((node) => node.arguments?.every(({ value }) => value.kind !== Kind.VARIABLE) ?? true),
  };
}

/** The fields of a list's nodes, including those within edges. */
function fieldsOfNodes(info: GraphQLResolveInfo, ofList: readonly FieldNode[]): FieldNode[] {
  const edges = ofList.filter(({ name }) => name.value === 'edges');
  return fieldsBelow(info, [
    ...ofList.filter(({ name }) => name.value === 'nodes'),
    ...fieldsBelow(info, edges).filter(({ name }) => name.value === 'node'),
  ]);
}

/** Collects the properties that fields are made of. */
interface MadeOf {
  readonly madeOf?: readonly string[];
  readonly edge?: { readonly by: string };
  readonly readAlong?: ReadAlong;
  readonly viewerCan?: { readonly projectOf?: unknown; readonly organizationOf?: unknown };
}

/** The properties that fields are made of; null when a resolver does not declare them. */
function propertiesOf(type: GraphQLObjectType, selected: readonly FieldNode[]): readonly string[] | null {
  const properties = new Set<string>();
  for (const { name } of selected) {
    const field = type.getFields()[name.value];
    if (!field) continue;
    const { madeOf, edge, readAlong, viewerCan } = field.extensions as MadeOf;
    const isOfProject =
      (readAlong && typeof readAlong.answer !== 'function') ||
      (viewerCan && !viewerCan.projectOf && !viewerCan.organizationOf);
    if (madeOf) for (const property of madeOf) properties.add(property);
    else if (edge) properties.add(edge.by);
    else if (isOfProject) properties.add('projectId');
    else if (field.resolve) return null;
    else properties.add(field.name);
  }
  return [...properties].sort();
}

function nestedIn(info: GraphQLResolveInfo, type: GraphQLObjectType, selected: readonly FieldNode[]): NestedPage[] {
  const nested: NestedPage[] = [];
  const counted = new Set<unknown>();
  for (const node of selected) {
    const along = type.getFields()[node.name.value]?.extensions.readAlong as ReadAlong | undefined;
    if (!along) continue;
    const { list, answer } = along;
    // Counted lists are read in their own statement, together for all owners.
    if (wantsTotal(fieldsBelow(info, [node]))) counted.add(list);
    const first = answer ? 1 : sizeOf(info, type, node);
    if (!first) continue;
    const page = { along, first, properties: propertiesOfRows(info, type, node, along) };
    const same = nested.findIndex((known) => known.along.list === list && known.first === first);
    if (same < 0) nested.push(page);
    else nested[same] = { ...page, properties: both(page.properties, nested[same]?.properties ?? null) };
  }
  return nested.filter(({ along }) => !counted.has(along.list));
}

/** The requested properties of a nested list's rows. */
function propertiesOfRows(
  info: GraphQLResolveInfo,
  type: GraphQLObjectType,
  node: FieldNode,
  { answer }: ReadAlong,
): readonly string[] | null {
  if (typeof answer === 'function') return null;
  const below = fieldsBelow(info, [node]);
  const answered = getNamedType(type.getFields()[node.name.value]?.type) as GraphQLObjectType;
  if (answer === 'row') return propertiesOf(answered, below);
  const rows = getNamedType(answered.getFields().nodes?.type) as GraphQLObjectType;
  return propertiesOf(rows, fieldsOfNodes(info, below));
}

const both = (some: readonly string[] | null, others: readonly string[] | null): readonly string[] | null =>
  some && others && [...new Set([...some, ...others])].sort();

const wantsTotal = (fields: readonly FieldNode[]): boolean => fields.some(({ name }) => TOTAL.has(name.value));

/**
 * The page size of a nested list; null when its own resolver must handle it, for example because of invalid arguments.
 */
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
