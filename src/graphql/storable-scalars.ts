import {
  GraphQLError,
  GraphQLID,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  print,
  type ValueNode,
} from 'graphql';
import { GraphQLBigInt, GraphQLDateTimeISO, GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars';
import { storableJson, storableText } from '../kernel/text.js';
import { misreadIn } from '../kernel/values/misread-json.js';

/** Values that mean the same to PostgreSQL, JavaScript and RFC 3339. */
const FIRST_INSTANT = '1700-01-01T00:00:00.000Z';
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

const CONVERSIONS: ReadonlyMap<GraphQLScalarType, (value: unknown) => unknown> = new Map([
  [GraphQLString, storableString],
  [GraphQLID, storableString],
  [GraphQLJSON, readableJson],
  [GraphQLJSONObject, readableJson],
  [GraphQLDateTimeISO, instantInRange],
]);

/** Specification URLs for scalars whose libraries don't set one. */
const SPECIFIED: Readonly<Record<string, string>> = {
  BigInt: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  Date: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  DateTimeISO: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  URL: 'https://url.spec.whatwg.org/',
  Upload: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
};

/** Adds scalar specifications (`@specifiedBy`) to introspection and the printed schema. */
export function addSpecificationUrls(schema: GraphQLSchema): void {
  for (const [name, url] of Object.entries(SPECIFIED)) {
    const type = schema.getType(name);
    if (type instanceof GraphQLScalarType) type.specifiedByURL = url;
  }
}

/**
 * Makes the scalars accept only storable values, in variables and in documents: strings, including JSON keys, have no U+0000 and no lone
 * surrogates (replaced by U+FFFD), JSON numbers are finite, and instants are between 1700 and 9999. Resolvers can rely on it. The scalars
 * are the libraries' own objects, shared by every schema in the process; those of other schemas are left alone.
 */
export function acceptOnlyStorable(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    const taken = type instanceof GraphQLScalarType ? CONVERSIONS.get(type) : undefined;
    if (taken) wrap(type as GraphQLScalarType, taken);
  }
  GraphQLBigInt.parseValue = wholeNumber;
  GraphQLBigInt.parseLiteral = (node: ValueNode) => wholeNumber('value' in node ? node.value : print(node));
}

const wrapped = new WeakSet<GraphQLScalarType>();

function wrap(scalar: GraphQLScalarType, taken: (value: unknown) => unknown): void {
  if (wrapped.has(scalar)) return;
  wrapped.add(scalar);
  const { parseValue, parseLiteral } = scalar;
  scalar.parseValue = (value) => taken(parseValue.call(scalar, value));
  scalar.parseLiteral = (node, variables) => taken(parseLiteral.call(scalar, node, variables));
}

/** What the library reads, without its warning on standard error, which is the log's, that JSON has no larger integers. */
function wholeNumber(value: unknown): number | bigint {
  const text = String(value);
  if (!/^-?(?:0|[1-9]\d*)$/.test(text)) throw new GraphQLError(`BigInt cannot represent value: ${text}`);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function storableString(value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}

/** Numbers that JSON can write and no reader holds would be stored as null. */
function readableJson(value: unknown): unknown {
  const storable = storableJson(value);
  const problem = misreadIn(storable);
  if (problem === null) return storable;
  throw new GraphQLError(`JSON is taken that every client reads alike; this has ${problem}.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}

function instantInRange(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  if (value.getTime() >= Date.parse(FIRST_INSTANT) && value.getTime() <= Date.parse(LAST_INSTANT)) return value;
  throw new GraphQLError(`A date-time must be between ${FIRST_INSTANT} and ${LAST_INSTANT}.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
