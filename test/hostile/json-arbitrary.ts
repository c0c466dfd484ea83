import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiContract, Schema } from '../support/openapi/openapi-contract.js';

/** Values by field name, such as ids, that refer to something that exists. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

const LONE_SURROGATE = 'a\ud800b';

/** Values that no field expects. */
export const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    0.5,
    1e308,
    2 ** 53,
    -(2 ** 31) - 1,
    '',
    ' ',
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom<unknown>(
    '\u0000',
    LONE_SURROGATE,
    '\u202e',
    'x'.repeat(5_000),
    '🏴‍☠️',
    "'; drop table flag; --",
    '%00',
    '../..',
  ),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"admin":true},"constructor":1}'), nested(300), {
    a: { b: [1, { c: null }] },
  }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values for a schema in the document. */
export function valuesOf(contract: OpenApiContract, known: KnownValues, schema: Schema, name = ''): Arbitrary<unknown> {
  const { anyOf, enum: options, examples, type, properties, items, ...rest } = contract.followed(schema);
  const inner = (each: unknown, as = name) => valuesOf(contract, known, each as Schema, as);
  if ('const' in rest) return fc.constant(rest.const);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => inner(each)));
  if (Array.isArray(options)) return fc.constantFrom(...options);
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => inner({ ...rest, properties, items, examples, type: each })));
  if (typeof properties === 'object' && properties !== null)
    return objectsOf(inner, properties as Schema, rest.required);
  if (items) return fc.array(inner(items), { minLength: Number(rest.minItems ?? 0), maxLength: 4 });
  if (rest.additionalProperties)
    return fc.dictionary(fc.string({ maxLength: 10 }), inner(rest.additionalProperties), { maxKeys: 4 });
  return scalarsOf(known[name] ?? (examples as unknown[] | undefined) ?? [], type, rest);
}

/** A copy of a value with some parts removed, replaced or added. */
export const mutated = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(
      values,
      fc.array(fc.tuple(fc.nat(20), fc.constantFrom('drop', 'replace', 'add'), junk), { minLength: 1, maxLength: 3 }),
    )
    .map(([value, mutations]) =>
      mutations.reduce((now, [at, how, other]) => mutate(structuredClone(now), at, how, other), value),
    );

function objectsOf(inner: (each: unknown, as: string) => Arbitrary<unknown>, properties: Schema, required: unknown) {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, inner(field, name)]));
  return fc.record(fields, { requiredKeys: (required ?? []) as string[] });
}

function scalarsOf(likely: readonly unknown[], type: unknown, rules: Schema): Arbitrary<unknown> {
  const drawn = plainOf(type, rules);
  return likely.length === 0 ? drawn : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, drawn);
}

function plainOf(type: unknown, { format, minimum, maximum, minLength, maxLength }: Schema): Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: Number(minimum ?? -100), max: 1_000_000 });
  if (type === 'number') return fc.double({ min: Number(minimum ?? 0), max: Number(maximum ?? 1e6), noNaN: true });
  if (type !== 'string') return fc.jsonValue({ maxDepth: 2 });
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    const [min, max] = [new Date('2001-01-01'), new Date('2100-01-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  return fc.string({
    unit: 'grapheme',
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 40), 40),
  });
}

function mutate(value: unknown, at: number, how: string, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[at % (keys.length + 1)];
  const fields = value as Record<string, unknown>;
  if (key === undefined) {
    if (how === 'add' && !Array.isArray(value)) return { ...value, [`extra${at}`]: other };
    return how === 'replace' ? other : value;
  }
  const deeper = typeof fields[key] === 'object' && fields[key] !== null && at % 2 === 0;
  if (deeper) fields[key] = mutate(fields[key], at >> 1, how, other);
  else if (how === 'drop') delete fields[key];
  else fields[key] = other;
  return value;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}
