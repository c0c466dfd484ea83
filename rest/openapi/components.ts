import type { TSchema } from 'typebox';

type Json = Readonly<Record<string, unknown>>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['examples', 'enum', 'const', 'required', 'discriminator']);

/** Collects the named schemas (`$id`), so that the document contains each once and refers to it. */
export class SchemaComponents {
  private readonly named = new Map<string, object>();

  /** The schema as used in place: a reference if it has a name. */
  use(schema: TSchema): object {
    // Copied as JSON: schemas carry properties of the library that made them.
    return this.converted(JSON.parse(JSON.stringify(schema)) as Json) as object;
  }

  /** `components.schemas`, by name. */
  all(): Record<string, object> {
    return Object.fromEntries([...this.named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  private converted(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((entry) => this.converted(entry));
    if (node === null || typeof node !== 'object') return node;
    const { $id, ...schema } = node as Json;
    if (typeof $id === 'string') {
      if (!this.named.has($id)) this.named.set($id, this.members(schema));
      return { $ref: `#/components/schemas/${$id}` };
    }
    return nullableType(this.members(schema));
  }

  private members(schema: Json): object {
    return Object.fromEntries(
      Object.entries(schema).map(([name, value]) => [name, DATA.has(name) ? value : this.converted(value)]),
    );
  }
}

/** Turns `anyOf` of a plain type and null into a list of types, which client generators read as an optional value. */
function nullableType(schema: object): object {
  const { anyOf, ...others } = schema as { anyOf?: Json[] };
  const [value, nothing] = anyOf ?? [];
  if (anyOf?.length !== 2 || nothing?.type !== 'null' || typeof value?.type !== 'string') return schema;
  return { ...value, ...others, type: [value.type, 'null'] };
}
