import {
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';

export interface IntrospectionMeasure {
  readonly depth: number;
  /** Maximum fields of the response. */
  readonly cost: number;
}

/** Everything tools ask for: GraphiQL, code generators and schema comparisons send this or less. */
const WHOLE_SCHEMA = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Whether a list is read for all types together, where averages hold, or for one type, which may be the largest. */
type Scope = 'all' | 'one';

/** The fields that lead from one type to another. */
const TO_ONE_TYPE = new Set(['type', 'ofType', 'queryType', 'mutationType', 'subscriptionType', 'possibleTypes']);
/** About half of the types of fields and arguments are wrappers, and half of the types those wrap are wrappers too. */
const WRAPPED_SHARE = 0.5;

const HEADROOM = 1.25;

/** Calculates the cost of introspection for one schema, and how much is allowed. */
export class IntrospectionCosts {
  /** The cost of the usual tools' introspection query, with all its options, plus a quarter. */
  readonly limit: IntrospectionMeasure;
  private readonly sizes: Readonly<Record<Scope, ReadonlyMap<string, number>>>;

  constructor(schema: GraphQLSchema) {
    this.sizes = listSizes(schema);
    const document = parse(WHOLE_SCHEMA);
    const selections = new Map<string, SelectionSetNode>();
    let query: SelectionSetNode | undefined;
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) selections.set(definition.name.value, definition.selectionSet);
      if (definition.kind === Kind.OPERATION_DEFINITION) query = definition.selectionSet;
    }
    const { depth, cost } = this.measure(query as SelectionSetNode, selections);
    this.limit = { depth, cost: Math.ceil(cost * HEADROOM) };
  }

  /** Measures the introspection in an operation, in time linear in its length. The document is valid. */
  measure(root: SelectionSetNode, fragments: ReadonlyMap<string, SelectionSetNode>): IntrospectionMeasure {
    const measured = new Map<string, IntrospectionMeasure>();
    const sum = (selectionSet: SelectionSetNode, scope: Scope, isRoot = false): IntrospectionMeasure => {
      const total = { depth: 0, cost: 0 };
      for (const selection of selectionSet.selections) {
        const part =
          selection.kind === Kind.INLINE_FRAGMENT
            ? sum(selection.selectionSet, scope, isRoot)
            : selection.kind === Kind.FRAGMENT_SPREAD
              ? fragment(selection.name.value, scope, isRoot)
              : isRoot && !/^__(?:schema|type)$/.test(selection.name.value)
                ? null
                : field(selection.name.value, selection.selectionSet, scope);
        total.depth = Math.max(total.depth, part?.depth ?? 0);
        total.cost += part?.cost ?? 0;
      }
      return total;
    };
    const fragment = (name: string, scope: Scope, isRoot: boolean): IntrospectionMeasure => {
      const key = `${scope} ${name}`;
      const selections = fragments.get(name);
      const known = measured.get(key) ?? (selections ? sum(selections, scope, isRoot) : { depth: 0, cost: 0 });
      measured.set(key, known);
      return known;
    };
    const field = (name: string, selections: SelectionSetNode | undefined, scope: Scope): IntrospectionMeasure => {
      if (!selections) return { depth: 1, cost: 1 };
      const within = name === 'types' || name === 'directives' ? 'all' : TO_ONE_TYPE.has(name) ? 'one' : scope;
      const inner = sum(selections, within);
      return { depth: inner.depth + 1, cost: 1 + inner.cost * (this.sizes[scope].get(name) ?? 1) };
    };
    const { depth, cost } = sum(root, 'one', true);
    return { depth, cost: Math.ceil(cost) };
  }
}

function listSizes(schema: GraphQLSchema): Record<Scope, Map<string, number>> {
  const types = Object.values(schema.getTypeMap());
  const fields = types.map((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const lists: Record<string, number[]> = {
    fields: fields.map(({ length }) => length),
    args: fields.flat().map(({ args }) => args.length),
    inputFields: types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    enumValues: types.map((type) => (isEnumType(type) ? type.getValues().length : 0)),
    interfaces: types.map((type) => (isObjectType(type) ? type.getInterfaces().length : 0)),
    possibleTypes: types.map((type) => (isInterfaceType(type) ? schema.getPossibleTypes(type).length : 0)),
  };
  const whole: [string, number][] = [
    ['types', types.length],
    ['directives', schema.getDirectives().length],
    ['ofType', WRAPPED_SHARE],
  ];
  const sized = (sizeOf: (lengths: readonly number[]) => number) =>
    new Map([...whole, ...Object.entries(lists).map(([name, lengths]) => [name, sizeOf(lengths)] as [string, number])]);
  return {
    all: sized((lengths) => lengths.reduce((sum, length) => sum + length, 0) / lengths.length),
    one: sized((lengths) => Math.max(...lengths)),
  };
}
