import {
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  responsePathAsArray,
} from 'graphql';

const KEY = Symbol('where an object stands');

const LEAVES: Record<string, readonly unknown[]> = {
  String: ['', 'text', 'constructor', '\u2028"'],
  ID: ['01890000-0000-7000-8000-000000000000', 7],
  Int: [0, 1, -1, 2 ** 31],
  Float: [0, -0, 1.5, 1e300, Number.NaN],
  Boolean: [true, false],
  DateTimeISO: [new Date(0), '2026-01-31T23:59:59.123Z', '2026-02-28T01:02:03.004Z', '2026-02-30T00:00:00.000Z'],
  BigInt: [1n, 2n ** 60n],
  JSON: [{ constructor: [null] }, [], 'text', { toString: 1 }],
  JSONObject: [{}, { length: 1 }],
};
const MISFITS = [null, null, null, undefined, [], {}, 'misfit', 7, Number.NaN];

/** What every resolver of a schema returns: the same for the same seed, place and arguments, and sometimes a failure. */
export class ShapeAnswers {
  constructor(private readonly seed: number) {}

  resolved(type: GraphQLOutputType, source: unknown, args: object, info: GraphQLResolveInfo): unknown {
    const { path, fieldNodes, variableValues } = info;
    const place = [responsePathAsArray(path), fieldNodes.length, args, keyOf(source), variableValues];
    const text = JSON.stringify(place, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    return this.answer(type, `${text} of ${info.parentType.name}.${info.fieldName}: ${info.returnType}`);
  }

  /** A value of the type, in one of the forms in which a resolver or a property may hold it. */
  private answer(type: GraphQLOutputType, key: string): unknown {
    const value = () => this.value(type, key);
    switch (this.number(`${key} form`, 40)) {
      case 0:
      case 1:
      case 2:
        return Promise.resolve(value());
      case 3:
        return new Promise((resolve) => setImmediate(() => resolve(value())));
      case 4:
        return isAnyValue(type) ? value() : value;
      case 5:
        return isAnyValue(type) ? value() : async () => value();
      case 6:
        return new Error(`an error as a value at ${key.length}`);
      case 7:
        return Promise.reject(new Error('a rejection'));
      case 8:
        throw new Error('thrown');
      case 9:
      case 10:
        return this.pick(MISFITS, key);
      default:
        return value();
    }
  }

  private value(given: GraphQLOutputType, key: string): unknown {
    const type = isNonNullType(given) ? given.ofType : given;
    if (isListType(type))
      return Array.from({ length: this.number(`${key} length`, 3) }, (_, at) => this.item(type.ofType, `${key}.${at}`));
    if (type instanceof GraphQLObjectType) return this.source(type, String(this.number(key, 2 ** 32)));
    if (isEnumType(type)) return this.pick(type.getValues(), key).value;
    return this.pick(LEAVES[type.name] ?? [`no leaf of ${type.name}`], key);
  }

  private item(type: GraphQLOutputType, key: string): unknown {
    try {
      return this.answer(type, key);
    } catch (error) {
      return error;
    }
  }

  private source(type: GraphQLObjectType, key: string): object {
    const fields = type.getFields();
    return new Proxy(
      { [KEY]: key },
      {
        get: (own, name) => {
          if (typeof name === 'symbol') return Reflect.get(own, name);
          const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
          return field && this.answer(field.type, `${key}.${name}`);
        },
      },
    );
  }

  private pick<T>(values: readonly T[], key: string): T {
    return values[this.number(`${key} value`, values.length)] as T;
  }

  /** A number from 0 to below `bound`, derived from only the seed and the key (FNV-1a). */
  private number(key: string, bound: number): number {
    let hash = this.seed ^ 0x811c9dc5;
    for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    return ((hash ^ (hash >>> 15)) >>> 0) % bound;
  }
}

/** Whether a type returns a function as it is. Under the name `then` it would be a promise that never settles. */
const isAnyValue = (type: GraphQLOutputType): boolean => ['JSON', 'JSONObject'].includes(getNamedType(type).name);

const keyOf = (source: unknown): unknown =>
  typeof source === 'object' && source !== null ? (source as { [KEY]?: string })[KEY] : undefined;

/** Makes every resolver of the schema answer from `current`. */
export function answerByShape(schema: GraphQLSchema, current: () => ShapeAnswers): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.resolve) continue;
      field.resolve = (source, args, _context, info) => current().resolved(field.type, source, args, info);
    }
  }
}
