type Schema = Readonly<Record<string, unknown>>;

/** Deeper types help nobody, and schemas may be recursive. */
const DEEPEST = 8;
const MOST_MEMBERS = 200;
const NAME = /^[A-Za-z_$][\w$]*$/;

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of some JSON values: literals for strings and numbers, members for objects. */
export function typeOfValues(values: readonly unknown[]): string {
  return union(values.map((value) => typeOfValue(value, 0)));
}

/**
 * The TypeScript type of values that satisfy a JSON Schema. It may be wider than the schema, never narrower.
 */
export function typeOfSchema(schema: unknown, depth = 0): string {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST) return 'unknown';
  const { enum: listed, const: only, anyOf, oneOf, type } = schema as Schema;
  if (only !== undefined) return typeOfValue(only, depth);
  if (Array.isArray(listed)) return union(listed.map((value) => typeOfValue(value, depth)));
  const either = anyOf ?? oneOf;
  if (Array.isArray(either)) return union(either.map((each) => typeOfSchema(each, depth + 1)));
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  return types.length > 0 ? union(types.map((name) => typeNamed(String(name), schema as Schema, depth))) : 'unknown';
}

export const memberName = (name: string): string => (NAME.test(name) ? name : quoted(name));

function typeNamed(name: string, schema: Schema, depth: number): string {
  const typesOf = (schemas: readonly unknown[]) => schemas.map((each) => typeOfSchema(each, depth + 1));
  if (name === 'array') {
    const { items, prefixItems } = schema;
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    return listOf(union(typesOf(first.length > 0 && items === false ? first : [...first, items])));
  }
  if (name !== 'object') return PLAIN[name] ?? 'unknown';
  const { properties, patternProperties = {}, required, additionalProperties } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries((properties ?? {}) as Schema).map(
    ([key, each]) => `${memberName(key)}${needed.has(key) ? '' : '?'}: ${typeOfSchema(each, depth + 1)}`,
  );
  const others = Object.values(patternProperties as Schema);
  if (additionalProperties !== false) others.push(additionalProperties);
  // An index signature must also cover the named members; only `unknown` always does.
  if (others.length > 0) members.push(`[key: string]: ${members.length === 0 ? union(typesOf(others)) : 'unknown'}`);
  return objectOf(members);
}

function typeOfValue(value: unknown, depth: number): string {
  if (depth > DEEPEST) return 'unknown';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (value === null) return 'null';
  if (Array.isArray(value)) return listOf(union(value.map((each) => typeOfMember(each, depth + 1))));
  const members = Object.entries(value as Schema);
  return objectOf(members.map(([key, each]) => `${memberName(key)}: ${typeOfMember(each, depth + 1)}`));
}

/**
 * Strings inside objects are not literals: variants are chosen as a whole, and their parts change more often than their
 * shape.
 */
function typeOfMember(value: unknown, depth: number): string {
  return typeof value === 'string' || typeof value === 'number' ? typeof value : typeOfValue(value, depth);
}

function union(types: readonly string[]): string {
  const each = [...new Set(types)];
  if (each.length === 0 || each.includes('unknown') || each.length > MOST_MEMBERS) return 'unknown';
  return each.join(' | ');
}

const listOf = (type: string): string => `readonly (${type})[]`;

function objectOf(members: readonly string[]): string {
  if (members.length > MOST_MEMBERS) return '{ readonly [key: string]: unknown }';
  return members.length === 0 ? '{}' : `{ ${members.map((member) => `readonly ${member}`).join('; ')} }`;
}

/** A string as a TypeScript literal, always on one line. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
