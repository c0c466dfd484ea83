/** The parts of a schema from which an example value is made. */
interface Exemplary {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Exemplary>>;
  readonly items?: Exemplary;
  readonly anyOf?: readonly Exemplary[];
}

/** A value of the schema, made from the examples of its parts; undefined if they have none, as for a file. */
export function exampleOf(schema: Exemplary): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.items) return [exampleOf(schema.items)];
  if (!schema.properties) return schema.type === 'null' ? null : undefined;
  const fields = Object.entries(schema.properties).map(([name, field]): [string, unknown] => [name, exampleOf(field)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
