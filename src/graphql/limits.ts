import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import type { IntrospectionCosts } from './introspection-cost.js';
import { answeredField, itemsOf, SIZES } from './list-sizes.js';

/** Limits for one GraphQL request. Introspection has its own, which follow from the schema. */
export const LIMITS = {
  /** Tokens of the document, where parsing stops. */
  tokens: 5_000,
  /** UTF-16 units of the document; long values belong in variables. */
  characters: 256 * 1024,
  /** Nesting of brackets (selections, lists and objects), in the document and in its variables. */
  nesting: 300,
  /** Operations and fragments in the document. */
  definitions: 100,
  /** Variables the document declares. */
  variables: 200,
  directives: 200,
  /** Values within the variables, including containers. */
  values: 150_000,
  /** Pairs of fields with the same response name, each pair counted once per token of its arguments. */
  overlaps: 20_000,
  depth: 12,
  aliases: 50,
  /** Maximum fields of the response, lists counted by their `first` or as {@link itemsOf} does. */
  cost: 50_000,
  /** Bytes the database sends for the operation, known only while it runs. */
  rowBytes: 32 * 1024 * 1024,
} as const;

interface Measure {
  depth: number;
  aliases: number;
  cost: number;
}

/**
 * Throws a {@link GraphQLError} when an operation is too deep, has too many aliases or asks for too much. Each fragment is measured once,
 * so a document that doubles itself costs no more than its length. An operation repeated with the same page sizes isn't measured again. The
 * document is already valid. Returns its cost.
 */
export function checkLimits(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  introspection: IntrospectionCosts,
): number {
  boundVariables(given);
  const known = held.get(operation);
  if (known?.sizes.every(({ name, value }) => Object.is(value, given[name]))) return known.cost;
  const cost = measuredCost(schema, document, operation, given, introspection);
  const sizes = sizeVariables(document).map((name) => ({ name, value: given[name] }));
  // Only these variables are page sizes; others can be as large as a request.
  if (
    operation.operation !== 'mutation' &&
    sizes.every(({ value }) => value === undefined || typeof value === 'number')
  )
    held.set(operation, { cost, sizes });
  return cost;
}

/** Costs of operations within the limits, with the variables that page sizes depend on. */
const held = new WeakMap<OperationDefinitionNode, { cost: number; sizes: { name: string; value: unknown }[] }>();

/** Names of variables used as `first` or `last` in the document. */
function sizeVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Argument({ name, value }) {
      if (SIZES.has(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function measuredCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  introspection: IntrospectionCosts,
): number {
  const variables = { ...defaultsOf(operation), ...given };
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const measured = new Map<string, Measure>();
  const sum = (selections: SelectionSetNode, type: GraphQLNamedType | undefined): Measure => {
    const total: Measure = { depth: 0, aliases: 0, cost: 0 };
    for (const selection of selections.selections) {
      const part =
        selection.kind === Kind.FIELD
          ? field(selection, type)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? sum(selection.selectionSet, typeNamed(selection.typeCondition?.name.value) ?? type)
            : fragment(selection.name.value);
      total.depth = Math.max(total.depth, part.depth);
      total.aliases += part.aliases;
      total.cost += part.cost;
    }
    return total;
  };
  const typeNamed = (name: string | undefined) => (name === undefined ? undefined : schema.getType(name));
  const fragment = (name: string): Measure => {
    let known = measured.get(name);
    if (!known) {
      const found = fragments.get(name);
      known = found
        ? sum(found.selectionSet, typeNamed(found.typeCondition.name.value))
        : { depth: 0, aliases: 0, cost: 0 };
      measured.set(name, known);
    }
    return known;
  };
  const field = (node: FieldNode, parent: GraphQLNamedType | undefined): Measure => {
    const answered = answeredField(parent, node.name.value);
    const inner =
      node.selectionSet && !node.name.value.startsWith('__')
        ? sum(node.selectionSet, answered?.type)
        : { depth: 0, aliases: 0, cost: 0 };
    return {
      depth: inner.depth + 1,
      aliases: inner.aliases + (node.alias ? 1 : 0),
      cost: 1 + inner.cost * (answered ? itemsOf(answered, node, variables) : 1),
    };
  };
  const total = sum(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
  refuseAbove('depth', total.depth, LIMITS.depth);
  refuseAbove('aliases', total.aliases, LIMITS.aliases);
  refuseAbove('cost', total.cost, LIMITS.cost);
  const introspected = introspection.measure(
    operation.selectionSet,
    new Map([...fragments].map(([name, { selectionSet }]) => [name, selectionSet])),
  );
  refuseAbove('introspection depth', introspected.depth, introspection.limit.depth);
  refuseAbove('introspection cost', introspected.cost, introspection.limit.cost);
  return total.cost;
}

/** Anything nested deeper overflows the stack when copied, compared or stored. */
function boundVariables(variables: Readonly<Record<string, unknown>>): void {
  let level: unknown[] = [variables];
  let values = 0;
  for (let nesting = 0; level.length > 0; nesting += 1) {
    refuseAbove('nesting', nesting, LIMITS.nesting);
    values += level.length;
    refuseAbove('values', values, LIMITS.values);
    level = level.flatMap((value) => (isContainer(value) ? Object.values(value) : []));
  }
}

/** Files of a multipart request are among the variables too. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** The variables' defaults, used when the request omits them. */
function defaultsOf(operation: OperationDefinitionNode): Record<string, unknown> {
  const defaults: Record<string, unknown> = Object.create(null);
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
  }
  return defaults;
}

/** Throws `QUERY_TOO_LARGE`, naming the exceeded limit. */
export function refuseAbove(what: string, measured: number, limit: number): void {
  if (measured <= limit) return;
  throw new GraphQLError(`The operation's ${what} is ${measured}; the maximum is ${limit}. Ask for less at once.`, {
    extensions: { code: 'QUERY_TOO_LARGE', details: { what, measured, limit }, http: { status: 400 } },
  });
}
