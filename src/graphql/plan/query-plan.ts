import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { isPlainLeaf, serializerOf } from './plain-leaf.js';

/** Maximum fields of a plan, fragments counted wherever they are spread. */
const MOST_FIELDS = 500;

/** A query with everything worked out that doesn't depend on variables: which fields of which type go where. */
export interface QueryPlan {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly fields: readonly PlannedField[];
}

export interface PlannedField {
  readonly responseName: string;
  /** The text before its value in JSON, as the first field of its object and as a later one. */
  readonly opening: string;
  readonly continuing: string;
  readonly name: string;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  /** Absent when the field is a property of its source. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  /** Arguments that are the same in every execution; copied for each call. */
  readonly constants: Readonly<Record<string, unknown>> | undefined;
  readonly value: PlannedValue;
}

/** How the value of a field, or a list item, becomes its result. */
export type PlannedValue =
  | { readonly kind: 'name'; readonly nonNull: true; readonly text: string }
  | {
      readonly kind: 'leaf';
      readonly nonNull: boolean;
      readonly type: GraphQLLeafType;
      readonly isPlain: (value: unknown) => boolean;
      readonly serialize: (value: unknown) => unknown;
    }
  | { readonly kind: 'list'; readonly nonNull: boolean; readonly item: PlannedValue }
  | { readonly kind: 'object'; readonly nonNull: boolean; readonly fields: readonly PlannedField[] };

class Unplannable extends Error {}

/**
 * The plan of a valid query; null for operations that graphql-js must execute: mutations, introspection, conditional selections, interfaces
 * and unions, and queries of more than 500 fields.
 */
export function planQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): QueryPlan | null {
  const type = schema.getQueryType();
  if (operation.operation !== 'query' || !type) return null;
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  try {
    const fields = new Planner(fragments).fieldsOf(type, [operation.selectionSet]);
    return { schema, operation, fragments, fields };
  } catch (error) {
    if (error instanceof Unplannable) return null;
    throw error;
  }
}

class Planner {
  private planned = 0;

  constructor(private readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>) {}

  fieldsOf(type: GraphQLObjectType, selectionSets: readonly SelectionSetNode[]): PlannedField[] {
    const nodes = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const selectionSet of selectionSets) this.collect(type, selectionSet, nodes, spread);
    return [...nodes].map(([responseName, same]) => this.field(type, responseName, same));
  }

  /** Merges selections like collectFields in graphql-js; every fragment here is on an object type. */
  private collect(
    type: GraphQLObjectType,
    { selections }: SelectionSetNode,
    nodes: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.directives?.length) throw new Unplannable();
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        const same = nodes.get(responseName);
        if (same) same.push(selection);
        else nodes.set(responseName, [selection]);
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.fragments[selection.name.value];
      if (!fragment) throw new Unplannable();
      if (fragment.typeCondition && fragment.typeCondition.name.value !== type.name) throw new Unplannable();
      this.collect(type, fragment.selectionSet, nodes, spread);
    }
  }

  private field(parentType: GraphQLObjectType, responseName: string, nodes: FieldNode[]): PlannedField {
    this.planned += 1;
    const name = (nodes[0] as FieldNode).name.value;
    // As a key of an object literal, this name would set the prototype.
    if (this.planned > MOST_FIELDS || responseName === '__proto__') throw new Unplannable();
    const isTypeName = name === TypeNameMetaFieldDef.name;
    const definition = isTypeName ? TypeNameMetaFieldDef : parentType.getFields()[name];
    if (!definition) throw new Unplannable();
    return {
      responseName,
      opening: `{"${responseName}":`,
      continuing: `,"${responseName}":`,
      name,
      parentType,
      definition,
      nodes,
      resolve: definition.resolve,
      constants: constantArguments(definition, nodes[0] as FieldNode),
      value: isTypeName ? { kind: 'name', nonNull: true, text: parentType.name } : this.value(definition.type, nodes),
    };
  }

  private value(given: GraphQLOutputType, nodes: readonly FieldNode[]): PlannedValue {
    const nonNull = isNonNullType(given);
    const type = nonNull ? given.ofType : given;
    if (isListType(type)) return { kind: 'list', nonNull, item: this.value(type.ofType, nodes) };
    if (isLeafType(type))
      return { kind: 'leaf', nonNull, type, isPlain: isPlainLeaf(type), serialize: serializerOf(type) };
    if (!(type instanceof GraphQLObjectType) || type.isTypeOf) throw new Unplannable();
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    return { kind: 'object', nonNull, fields: this.fieldsOf(type, selectionSets) };
  }
}

const SHARED_VALUES: ReadonlySet<ValueNode['kind']> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
]);

function constantArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): Record<string, unknown> | undefined {
  if (!node.arguments?.every(({ value }) => SHARED_VALUES.has(value.kind))) return undefined;
  try {
    return getArgumentValues(definition, node);
  } catch {
    // Fails in the same way, with its location, when it is executed.
    return undefined;
  }
}
