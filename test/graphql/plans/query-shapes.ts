import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parseValue,
  valueFromASTUntyped,
} from 'graphql';

/** A valid query with its variables, right or wrong. */
export interface QueryShape {
  query: string;
  operationName: string | undefined;
  variables: Record<string, unknown>;
}

/** Names that mean something to JavaScript objects, promises and arrays. */
const ODD_NAMES = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  'then',
  'prototype',
  'toJSON',
  '_',
  'a1',
  '__a',
];
const SETTING_PROTOTYPE = '__proto__';
const ODD_TEXTS = ['', 'text', 'constructor', '__proto__', '"\\\n', '\u{1F600}\u2028', '0'];
const LITERALS: Record<string, readonly string[]> = {
  Int: ['0', '1', '-7', '100'],
  Float: ['0', '1.5', '-2e3'],
  Boolean: ['true', 'false'],
  String: ODD_TEXTS.map((text) => JSON.stringify(text)),
  ID: [...ODD_TEXTS.map((text) => JSON.stringify(text)), '7'],
  DateTimeISO: ['"2026-01-31T23:59:59.123Z"', '"2026-02-28T00:00:00+02:00"'],
  BigInt: ['1', '9007199254740993'],
  JSON: ['{ a: [1, null, "b"] }', '[]', '"text"', '3'],
  JSONObject: ['{}', '{ constructor: { length: [true] } }'],
};
const WRONG_VALUES = [[], {}, 'no such value', 2 ** 40, 1.5, true];
const DEPTH = 4;
const MOST_SELECTIONS = 40;

/** Valid queries of every shape over the schema's objects. Its types must not have interfaces or unions. */
export function queryShapes(schema: GraphQLSchema): fc.Arbitrary<QueryShape> {
  return fc.gen().map((draw) => new ShapeMaker(schema, draw).make());
}

interface Fragment {
  name: string;
  type: GraphQLObjectType;
  depth: number;
  text: string;
}

/** What a name in the answer stands for: the same throughout the query, so that any two selections of a type merge. */
interface Meaning {
  call: string;
  type: GraphQLOutputType | null;
}

class ShapeMaker {
  private readonly meanings = new Map<string, Meaning>();
  private readonly fragments: Fragment[] = [];
  private readonly declared: string[] = [];
  private readonly variables: Record<string, unknown> = {};
  private readonly hasConditions: boolean;
  private readonly hasUnplannable: boolean;
  private selections = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly draw: fc.GeneratorValue,
  ) {
    this.hasConditions = this.oneIn(5);
    this.hasUnplannable = this.oneIn(10);
  }

  make(): QueryShape {
    const body = this.selectionSet(this.schema.getQueryType() as GraphQLObjectType, DEPTH);
    const declarations = this.declared.length > 0 ? `(${this.declared.join(' ')})` : '';
    const fragments = this.fragments.map(({ name, type, text }) => `fragment ${name} on ${type.name} ${text}`);
    const isOneOfTwo = this.oneIn(6);
    return {
      query: [
        ...(isOneOfTwo ? ['query Other { __typename }'] : []),
        `query Q${declarations} ${body}`,
        ...fragments,
      ].join('\n'),
      operationName: isOneOfTwo || this.oneIn(2) ? 'Q' : undefined,
      variables: this.variables,
    };
  }

  private pick<T>(values: readonly T[]): T {
    return values[this.draw(fc.nat, { max: values.length - 1 })] as T;
  }

  private oneIn(count: number): boolean {
    return this.draw(fc.nat, { max: count - 1 }) === count - 1;
  }

  private selectionSet(type: GraphQLObjectType, depth: number): string {
    const count = 1 + this.draw(fc.nat, { max: 4 });
    return `{ ${Array.from({ length: count }, () => this.selection(type, depth)).join(' ')} }`;
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    this.selections += 1;
    if (this.selections > MOST_SELECTIONS) return '__typename';
    switch (this.draw(fc.nat, { max: 11 })) {
      case 0:
        return `...${this.oneIn(2) ? ` on ${type.name}` : ''}${this.condition()} ${this.selectionSet(type, depth)}`;
      case 1: {
        const text = this.selectionSet(type, depth);
        const name = `${this.pick(['F', 'constructor', 'toString'])}${this.fragments.length}`;
        this.fragments.push({ name, type, depth, text });
        return `...${name}${this.condition()} ...${name}`;
      }
      case 2: {
        const known = this.fragments.filter((fragment) => fragment.type === type && fragment.depth <= depth);
        return known.length > 0 ? `...${this.pick(known).name}${this.condition()}` : '__typename';
      }
      default:
        return this.field(type, depth);
    }
  }

  private field(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter(
      (field) => depth > 0 || !isCompositeType(getNamedType(field.type)),
    );
    const definition = this.oneIn(8) ? undefined : this.pick([...fields, undefined]);
    const ownName = definition?.name ?? '__typename';
    const odd = this.hasUnplannable ? [...ODD_NAMES, SETTING_PROTOTYPE] : ODD_NAMES;
    const responseName = this.oneIn(3) ? this.pick(odd) : ownName;
    const place = `${type.name} ${responseName}`;
    const meaning = this.meanings.get(place) ?? {
      call: `${responseName === ownName ? '' : `${responseName}: `}${ownName}${this.arguments(definition?.args ?? [])}`,
      type: definition?.type ?? null,
    };
    const inner = meaning.type && getNamedType(meaning.type);
    if (inner instanceof GraphQLObjectType && depth === 0) return '__typename';
    this.meanings.set(place, meaning);
    const below = inner instanceof GraphQLObjectType ? ` ${this.selectionSet(inner, depth - 1)}` : '';
    return `${meaning.call}${this.condition()}${below}`;
  }

  private condition(): string {
    if (!this.hasConditions || !this.oneIn(4)) return '';
    const value = this.oneIn(2) ? this.variable('Boolean!', ['true', 'false']) : this.pick(['true', 'false']);
    return ` @${this.pick(['skip', 'include'])}(if: ${value})`;
  }

  private arguments(args: readonly GraphQLArgument[]): string {
    const given = args.filter(
      ({ type, defaultValue }) => (isNonNullType(type) && defaultValue === undefined) || this.oneIn(2),
    );
    if (given.length === 0) return '';
    return `(${given.map(({ name, type }) => `${name}: ${this.value(type)}`).join(', ')})`;
  }

  private value(type: GraphQLInputType): string {
    return this.oneIn(3) ? this.variable(String(type), [this.literal(type, false)]) : this.literal(type, true);
  }

  private literal(type: GraphQLInputType, mayVary: boolean): string {
    if (!isNonNullType(type) && this.oneIn(8)) return 'null';
    const nullable = getNullableType(type);
    const inner = (of: GraphQLInputType) => (mayVary ? this.value(of) : this.literal(of, false));
    if (isListType(nullable)) {
      const items = Array.from({ length: this.draw(fc.nat, { max: 2 }) }, () => inner(nullable.ofType));
      return `[${items.join(', ')}]`;
    }
    if (isEnumType(nullable)) return this.pick(nullable.getValues()).name;
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields()).filter((field) => isNonNullType(field.type) || this.oneIn(3));
      return `{ ${fields.map((field) => `${field.name}: ${inner(field.type)}`).join(', ')} }`;
    }
    const literals = LITERALS[nullable.name];
    if (!literals) throw new Error(`no literals of ${nullable.name}`);
    return this.pick(literals);
  }

  /** Another variable of this type, with one of the literals as its value or default; sometimes it is missing, null or wrong. */
  private variable(type: string, literals: readonly string[]): string {
    const name = `${this.pick(['v', 'constructor', 'length'])}${this.oneIn(2) ? '' : '_'}${this.declared.length}`;
    const literal = this.pick(literals);
    const hasDefault = this.oneIn(4);
    this.declared.push(`$${name}: ${type}${hasDefault ? ` = ${literal}` : ''}`);
    const isMissing = hasDefault || !type.endsWith('!') ? this.oneIn(3) : this.oneIn(40);
    if (isMissing) return `$${name}`;
    if (this.oneIn(40)) this.variables[name] = this.pick([null, ...WRONG_VALUES]);
    else this.variables[name] = valueFromASTUntyped(parseValue(literal));
    return `$${name}`;
  }
}
