import { registerEnumType } from 'type-graphql';

interface EnumDescriptions<V extends string> {
  description?: string;
  valuesConfig?: { [K in V]?: { description: string } };
}

/** A GraphQL enum whose values are named after themselves. */
export function enumType<const V extends string>(
  name: string,
  values: readonly V[],
  descriptions: EnumDescriptions<V> = {},
): { readonly [K in V]: K } {
  const type = Object.fromEntries(values.map((value) => [value, value])) as { [K in V]: K };
  registerEnumType(type, { name, ...descriptions });
  return type;
}
