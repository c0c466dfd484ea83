type Schema = object | boolean;

/** A schema and the JSON value to check with it. */
export type SchemaCase = readonly [name: string, schema: Schema, value: unknown];

const letters = `${'a'.repeat(31)}!`;

/** Definitions that each refer to the next one twice, so that the last is reached 2^depth times. */
function doubling(keyword: 'anyOf' | 'oneOf' | 'allOf', depth: number, last: Schema): object {
  const twice = (index: number) => [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }];
  const links = Array.from({ length: depth }, (_, index) => [`d${index}`, { [keyword]: twice(index) }]);
  return { $defs: { ...Object.fromEntries(links), [`d${depth}`]: last }, $ref: '#/$defs/d0' };
}

/** JSON nested this deep: `opening` and `closing` around a value. */
export const nested = (opening: string, levels: number, closing: string, inner = ''): string =>
  opening.repeat(levels) + inner + closing.repeat(levels);

/** Small schemas that take seconds to years, or gigabytes, to check a value. */
export const ENDLESS_CHECKS: readonly SchemaCase[] = [
  ['a pattern', { pattern: '^(a+)+$' }, letters],
  ['property names', { propertyNames: { pattern: '^(a|a)*$' } }, { [letters]: 1 }],
  ['unique items', { uniqueItems: true }, Array.from({ length: 20_000 }, (_, a) => ({ a }))],
  [
    'items to be contained',
    { contains: { uniqueItems: true }, minContains: 9 },
    Array.from({ length: 4 }, () => Array.from({ length: 7_000 }, (_, a) => [a])),
  ],
  ['oneOf that doubles', doubling('oneOf', 24, { type: 'string' }), 1],
  ['allOf that doubles', doubling('allOf', 40, { type: 'number' }), 1],
  [
    'not that doubles',
    { $defs: { a: { not: doubling('anyOf', 1, false) } }, ...doubling('oneOf', 26, { not: { type: 'number' } }) },
    1,
  ],
];

/** Schemas that cannot be used, with the position of the error. */
export const UNUSABLE: readonly (readonly [name: string, schema: unknown, place: string])[] = [
  ['$async', { $async: true, type: 'string' }, '#/$async'],
  ['$async that is false', { $async: false }, '#/$async'],
  ['$async of a definition', { $defs: { a: { $async: true } } }, '#/$defs/a/$async'],
  ['$async of a negation', { not: { items: { $async: true } } }, '#/not/items/$async'],
  ['$async of a branch', { if: { type: 'string' }, else: { anyOf: [{}, { $async: 1 }] } }, '#/else/anyOf/1/$async'],
  ['$async of a property', { properties: { 'a/b': { $async: true } } }, '#/properties/a~1b/$async'],
  ['$async under an unknown keyword', { 'x-part': { $async: true }, $ref: '#/x-part' }, '#/$ref'],
  ['itself', { $ref: '#' }, '#/$ref'],
  ['itself by its name', { $id: 'x', $ref: 'x' }, '#/$ref'],
  ['itself by an anchor', { $anchor: 'x', not: { $ref: '#x' } }, '#/not/$ref'],
  ['itself recursively', { $recursiveRef: '#' }, '#/$recursiveRef'],
  ['itself dynamically', { $dynamicAnchor: 'a', $dynamicRef: '#a' }, '#/$dynamicRef'],
  [
    'a circle of definitions',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
    '#/$defs/b/allOf/0/$ref',
  ],
  ['a circle within a property', { properties: { x: { if: { $ref: '#/properties/x' } } } }, '#/properties/x/if/$ref'],
  ['something remote', { properties: { a: { $ref: 'http://127.0.0.1/schema' } } }, '#/properties/a/$ref'],
  ['something that is not there', { items: { $ref: '#/$defs/none' } }, '#/items/$ref'],
  [
    'a pattern that is none, in a definition that is referred to',
    { $defs: { name: { pattern: '(' } }, properties: { a: { $ref: '#/$defs/name' } } },
    '#/$defs/name/pattern',
  ],
  ['a pattern of 9,000 characters', { pattern: 'a'.repeat(9_000) }, '#/pattern'],
  ['a type that is none', { properties: { a: { type: 'nonsense' } } }, '#/properties/a/type'],
  ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '#/$schema'],
  ['a list', [], '#'],
  ['a text', 'string', '#'],
  ['more than 256 levels', JSON.parse(nested('{"not":', 256, '}', '{}')), '#'],
];

/** Schemas that work, each with a valid and an invalid value. */
export const USABLE: readonly (readonly [name: string, schema: Schema, good: unknown, bad: unknown])[] = [
  ['true and false', { properties: { a: true, b: false } }, { a: 1 }, { b: 1 }],
  [
    'keywords of draft 7',
    {
      definitions: { name: { type: 'string', minLength: 2 } },
      properties: { a: { $ref: '#/definitions/name' } },
      dependencies: { a: ['b'] },
      if: { required: ['c'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['d'] },
    },
    { a: 'ab', b: 1 },
    { a: 'ab', b: 1, c: 1 },
  ],
  ['tuples', { prefixItems: [{ type: 'integer' }], items: { type: 'string' } }, [1, 'a'], [1, 2]],
  ['unevaluated properties', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
  ['contained items', { contains: { const: 1 }, minContains: 2 }, [1, 1], [1]],
  ['dependent schemas', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1, b: 1 }, { a: 1 }],
  ['a tree', { type: 'object', additionalProperties: { $ref: '#' } }, { a: { b: {} } }, { a: { b: 1 } }],
  [
    'a tree that is extended',
    {
      $id: 'https://example.com/strict-tree',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $dynamicAnchor: 'node',
          properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
        },
      },
    },
    { children: [{ data: 1 }] },
    { children: [{ daat: 1 }] },
  ],
  ['the schema of schemas', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, { type: 'string' }, { type: 1 }],
  ['the same $id as another', { $id: 'https://example.com/same', type: 'integer' }, 1, 'a'],
  ['the same $id as another, once more', { $id: 'https://example.com/same', type: 'string' }, 'a', 1],
  [
    'a property of the name $async',
    { $defs: { $async: {} }, properties: { $async: { const: { $async: true } } }, required: ['$async'] },
    { $async: { $async: true } },
    { $async: { $async: false } },
  ],
  ['$async as data', { enum: [{ $async: true }], default: { $async: true } }, { $async: true }, { $async: 1 }],
  [
    'names that objects have',
    { properties: { constructor: { type: 'integer' }, toString: true }, required: ['constructor'] },
    { constructor: 2 },
    {},
  ],
  [
    '1,500 properties in 60 KiB',
    {
      properties: Object.fromEntries(
        Array.from({ length: 1_500 }, (_, at) => [`p${at}`, { type: 'string', maxLength: at }]),
      ),
    },
    { p3: 'abc' },
    { p3: 'abcd' },
  ],
  [
    'a thousand references in a row',
    {
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: 1_000 }, (_, at) => [
          `d${at}`,
          at < 999 ? { $ref: `#/$defs/d${at + 1}` } : { type: 'null' },
        ]),
      ),
    },
    null,
    1,
  ],
  [
    '200 nested lists',
    JSON.parse(nested('{"items":', 200, '}', '{"type":"null"}')) as object,
    [],
    JSON.parse(nested('[', 200, ']', '1')),
  ],
];
