import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  print,
} from 'graphql';

import type { Client, RestAnswer } from '../support/client.js';
import { SMALL_MAP } from '../support/symbols/symbol-client.js';

/** One root field of the schema. */
export interface RootField {
  kind: 'query' | 'mutation';
  name: string;
  field: GraphQLField<unknown, unknown>;
}

export function rootFields(schema: GraphQLSchema): RootField[] {
  return (['query', 'mutation'] as const).flatMap((kind) => {
    const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    return Object.entries(type?.getFields() ?? {}).map(([name, field]) => ({ kind, name, field }));
  });
}

/** The depth of a root's document: three levels, or two where the root returns projects, which lead everywhere. */
export const depthOf = ({ field }: RootField): number =>
  /^Project(?:Connection)?$/.test(getNamedType(field.type).name) ? 2 : 3;

/**
 * A document that runs one root field with every argument as a variable.
 * @param depth how many levels of objects below the result are selected, each edge of a type once; a list counts as two
 * @param onField called with every field that is selected, as `Type.field`
 */
export function documentOf({ kind, name, field }: RootField, depth: number, onField?: (name: string) => void): string {
  const variables = field.args.map(declarationOf).join(', ');
  const args = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = selectionOf(field.type, depth, { onField, followed: new Map() });
  return `${kind}${variables && `(${variables})`} { ${name}${args && `(${args})`}${selection} }`;
}

function declarationOf({ name, type, defaultValue }: GraphQLArgument): string {
  const fallback = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return `$${name}: ${type}${fallback ? ` = ${print(fallback)}` : ''}`;
}

interface Walk {
  onField: ((name: string) => void) | undefined;
  /** The depth at which each edge was already followed; the graph has cycles. */
  followed: Map<string, number>;
}

/** Deeper nesting of lists would cost more than an operation may. */
const LEVELS_OF_A_LIST = 2;

function selectionOf(output: GraphQLOutputType, depth: number, walk: Walk): string {
  const type = getNamedType(output);
  if (!isCompositeType(type)) return '';
  if (!isObjectType(type)) return ' { __typename }';
  const isPlumbing = /(?:Connection|Edge)$/.test(type.name);
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some(isRequiredArgument)) return [];
    const inner = getNamedType(field.type);
    const isFree = isPlumbing || inner.name === 'PageInfo' || !isCompositeType(inner);
    const name = `${type.name}.${field.name}`;
    const isList = field.args.some((arg) => arg.name === 'first');
    const below = depth - (isList ? LEVELS_OF_A_LIST : 1);
    if (!isFree && (below < 0 || (walk.followed.get(name) ?? 0) >= depth)) return [];
    if (!isFree) walk.followed.set(name, depth);
    walk.onField?.(name);
    // The edges' nodes are already selected below the connection's `nodes`.
    if (type.name.endsWith('Edge') && field.name === 'node') return ['node { __typename }'];
    const page = isList ? '(first: 1)' : '';
    return [`${field.name}${page}${selectionOf(field.type, isFree ? depth : below, walk)}`];
  });
  return ` { ${fields.length === 0 ? '__typename' : fields.join(' ')} }`;
}

/** Sends an operation whose variable `name` is a small source map, as a GraphQL multipart request; `rewrite` may change its JSON. */
export async function sendUpload(
  client: Client,
  query: string,
  variables: object,
  name: string,
  rewrite = (json: string) => json,
): Promise<RestAnswer> {
  const form = new FormData();
  form.append('operations', rewrite(JSON.stringify({ query, variables: { ...variables, [name]: null } })));
  form.append('map', JSON.stringify({ 0: [`variables.${name}`] }));
  form.append('0', new Blob([SMALL_MAP]), 'app.js.map');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', 'apollo-require-preflight': 'true' };
  return client.send('POST', '/graphql', new Uint8Array(await encoded.arrayBuffer()), headers);
}
