import { parsedJson } from '../core/json.js';
import {
  type Definitions,
  definitionsOf,
  type WrittenCohort,
  type WrittenFlag,
  type WrittenItem,
} from './definitions.js';

/** Definitions and their ETag. */
export interface TaggedDefinitions {
  readonly etag: string;
  readonly definitions: Definitions;
}

interface Changes<Written> {
  readonly put: readonly Written[];
  readonly delete: readonly string[];
}

interface Patch {
  readonly from: string;
  readonly etag: string;
  readonly flags: Changes<WrittenFlag>;
  readonly config: Changes<WrittenItem>;
  readonly cohorts?: Changes<WrittenCohort>;
}

/**
 * Applies an event of the definitions stream (docs/rest.md, Definitions): a full set, or changes to the current one.
 * Null when the event does not follow from these definitions or is invalid.
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
  const { flags, config, cohorts } = known.definitions;
  const definitions = {
    flags: changed(flags, body.flags, ({ key }) => key),
    config: changed(config, body.config, ({ key }) => key),
  };
  if (!isChanges(body.cohorts)) return { etag, definitions: { ...definitions, cohorts } };
  return { etag, definitions: { ...definitions, cohorts: changed(cohorts ?? [], body.cohorts, ({ name }) => name) } };
}

function changed<Written>(
  all: readonly Written[],
  { put, delete: gone }: Changes<Written>,
  keyOf: (written: Written) => string,
): Written[] {
  const byKey = new Map(all.map((each) => [keyOf(each), each]));
  for (const key of gone) byKey.delete(key);
  for (const each of put) byKey.set(keyOf(each), each);
  // In the server's order: by UTF-16 code units.
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function isChanges<Written>(given: Changes<Written> | undefined): given is Changes<Written> {
  return Array.isArray(given?.put) && Array.isArray(given.delete);
}
