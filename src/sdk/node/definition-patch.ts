import { parsedJson } from '../core/json.js';
import { type Definitions, definitionsOf } from './definitions.js';

/** Definitions, and the entity tag by which the server knows them. */
export interface TaggedDefinitions {
  readonly etag: string;
  readonly definitions: Definitions;
}

interface Changes<Written> {
  readonly put: readonly Written[];
  readonly delete: readonly string[];
}

type Patch = { readonly from: string; readonly etag: string } & {
  readonly [List in keyof Definitions]: Changes<Definitions[List][number]>;
};

/**
 * The definitions after an event of their stream (docs/rest.md, Definitions): all of them, or what changed of those that are there. Null when
 * the event does not follow upon these, or is none.
 */
export function followingDefinitions(
  known: TaggedDefinitions | null,
  event: string,
  data: string,
): TaggedDefinitions | null {
  const body = (parsedJson(data) ?? {}) as Partial<Patch> & { definitions?: unknown };
  const { etag } = body;
  if (typeof etag !== 'string') return null;
  if (event === 'put') {
    const definitions = definitionsOf(body.definitions);
    return definitions && { etag, definitions };
  }
  if (known === null || body.from !== known.etag || !isChanges(body.flags) || !isChanges(body.config)) return null;
  const { flags, config } = known.definitions;
  return { etag, definitions: { flags: changed(flags, body.flags), config: changed(config, body.config) } };
}

function changed<Written extends { readonly key: string }>(
  all: readonly Written[],
  { put, delete: gone }: Changes<Written>,
): Written[] {
  const byKey = new Map(all.map((each) => [each.key, each]));
  for (const key of gone) byKey.delete(key);
  for (const each of put) byKey.set(each.key, each);
  // In the order of the server: by UTF-16 units.
  return [...byKey.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}

function isChanges<Written>(given: Changes<Written> | undefined): given is Changes<Written> {
  return Array.isArray(given?.put) && Array.isArray(given.delete);
}
