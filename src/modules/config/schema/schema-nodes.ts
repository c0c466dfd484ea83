export interface SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its place in the document: `#` and a JSON pointer. */
  readonly place: string;
  readonly base: string;
}

/** How a keyword holds schemas: itself, a list (or one), or by name. */
type Shape = 'one' | 'list' | 'named';

/** Keywords whose schemas apply to the same value as the schema they are in. */
const ON_THE_SAME_VALUE: Readonly<Record<string, Shape>> = {
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'one',
  else: 'one',
  dependentSchemas: 'named',
  dependencies: 'named',
};

/** Keywords whose schemas apply to a part of the value, or to nothing until they are referred to. */
const ELSEWHERE: Readonly<Record<string, Shape>> = {
  $defs: 'named',
  definitions: 'named',
  properties: 'named',
  patternProperties: 'named',
  additionalProperties: 'one',
  unevaluatedProperties: 'one',
  propertyNames: 'one',
  prefixItems: 'list',
  items: 'list',
  additionalItems: 'one',
  unevaluatedItems: 'one',
  contains: 'one',
  contentSchema: 'one',
};

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const ROOT = 'json-schema://item/';

/** A schema document with its places, identifiers and anchors. Data, as in `const` or `enum`, is not part of it. */
export class SchemaDocument {
  /** Every schema in a schema position, the root first. */
  readonly nodes: SchemaNode[] = [];
  private readonly known = new Map<object, SchemaNode>();
  private readonly named = new Map<string, SchemaNode>();
  private readonly dynamic = new Map<string, SchemaNode[]>();

  constructor(schema: object) {
    this.named.set(ROOT, this.nodeOf(schema, '#', ROOT));
    for (const node of this.nodes) {
      for (const [inner, place] of schemasIn(node, { ...ON_THE_SAME_VALUE, ...ELSEWHERE }))
        this.nodeOf(inner, place, node.base);
    }
  }

  /** The schemas that a schema applies to the same value, each with the place that says so. */
  *onTheSameValue(node: SchemaNode): Generator<[SchemaNode, place: string]> {
    for (const [inner, place] of schemasIn(node, ON_THE_SAME_VALUE))
      yield [this.nodeOf(inner, place, node.base), place];
    for (const keyword of REFERENCES) {
      const reference = node.schema[keyword];
      if (typeof reference !== 'string') continue;
      const targets = keyword === '$ref' ? [this.resolve(node, reference)] : this.dynamicTargets(node, reference);
      for (const target of targets) if (target) yield [target, `${node.place}/${keyword}`];
    }
  }

  /** The node of a schema, recorded when it is first seen. */
  private nodeOf(schema: object, place: string, base: string): SchemaNode {
    const found = this.known.get(schema);
    if (found) return found;
    const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = schema as Record<string, unknown>;
    const own = typeof $id === 'string' ? absolute($id, base) : null;
    const node = { schema: schema as SchemaNode['schema'], place, base: own?.split('#')[0] || base };
    this.known.set(schema, node);
    this.nodes.push(node);
    if (own) this.named.set(own, node);
    for (const anchor of [$anchor, $dynamicAnchor])
      if (typeof anchor === 'string') this.named.set(`${node.base}#${anchor}`, node);
    const name = $recursiveAnchor === true ? '' : $dynamicAnchor;
    if (typeof name === 'string') this.dynamic.set(name, [...(this.dynamic.get(name) ?? []), node]);
    return node;
  }

  private resolve(node: SchemaNode, reference: string): SchemaNode | undefined {
    const [resource = '', fragment = ''] = (absolute(reference, node.base) ?? '').split('#');
    const root = this.named.get(resource);
    if (!root || fragment === '' || fragment === '/') return root;
    if (!fragment.startsWith('/')) return this.named.get(`${resource}#${fragment}`);
    let found: unknown = root.schema;
    for (const token of fragment.slice(1).split('/')) {
      const key = decoded(token).replaceAll('~1', '/').replaceAll('~0', '~');
      if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
      found = (found as Record<string, unknown>)[key];
    }
    return isObject(found) ? this.nodeOf(found, root.place + decoded(fragment), root.base) : undefined;
  }

  /** The path by which a value got here decides, so any schema with the anchor may be meant. */
  private dynamicTargets(node: SchemaNode, reference: string): (SchemaNode | undefined)[] {
    return this.dynamic.get(reference.slice(1)) ?? [this.resolve(node, reference)];
  }
}

/** The subschemas in a table's keywords, each with its place, without those that are only true or false. */
function* schemasIn(node: SchemaNode, table: Readonly<Record<string, Shape>>): Generator<[object, place: string]> {
  for (const [keyword, held] of Object.entries(node.schema)) {
    const shape = Object.hasOwn(table, keyword) ? table[keyword] : undefined;
    if (!shape || !isObject(held)) continue;
    const place = `${node.place}/${keyword}`;
    if (shape === 'named' || (shape === 'list' && Array.isArray(held))) {
      for (const [key, inner] of Object.entries(held))
        if (isObject(inner) && !Array.isArray(inner)) yield [inner, place + pointer(key)];
    } else if (!Array.isArray(held)) yield [held, place];
  }
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

/** A key as a step of a JSON pointer. */
export const pointer = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

function absolute(reference: string, base: string): string | null {
  return URL.parse(reference, base)?.href.replace(/#$/, '') ?? null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
