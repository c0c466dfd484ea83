import type { Pool } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import { storableText } from '../../../kernel/text.js';

/** What is stored about the person behind an id, packed. */
export interface PersonFacts {
  /** Null for an unknown id. */
  readonly personId: string | null;
  /** JSON text of an object with the requested properties. */
  readonly properties: string;
  /** All ids of the person; null if it has no other. */
  readonly ids: readonly string[] | null;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();
export const UNKNOWN: PersonFacts = { personId: null, properties: '{}', ids: null };

/** One lookup per id, whatever the planner believes about the tables: it may know nothing yet about a newly stored fleet. */
const FACTS = `
  select given.id as "distinctId", found.person_id as "personId", found.properties, found.ids
    from unnest($3::text[]) as given(id)
   cross join lateral (
     select i.person_id,
            case when $4::text[] is null then p.properties
                 else (select jsonb_object_agg(key, p.properties -> key) from unnest($4::text[]) as key where p.properties ? key)
            end::text as properties,
            array(select distinct_id from person_id where $5 and person_id = i.person_id) as ids
       from person_id i join person p on p.id = i.person_id
      where i.project_id = $1 and i.environment = $2 and i.distinct_id = given.id
      limit 1
   ) as found`;

interface Row {
  distinctId: string;
  personId: string;
  properties: string | null;
  ids: string[];
}

/** The requested facts: the properties with these keys, all if null; and whether the person's other ids are included. */
export interface FactsWanted {
  readonly properties: readonly string[] | null;
  readonly ids: boolean;
}

/** What is stored about the persons behind some ids, in one statement and in the order of the ids. */
export async function readPersonFacts(
  pool: Pick<Pool, 'query'>,
  projectId: string,
  environment: Environment,
  distinctIds: readonly string[],
  wanted: FactsWanted,
): Promise<PersonFacts[]> {
  const ids = distinctIds.map(storableText);
  // Unnamed, so that it is planned for the tables' current size.
  const { rows } = await pool.query<Row>(FACTS, [projectId, environment, ids, wanted.properties, wanted.ids]);
  const found = new Map(rows.map(({ distinctId, ...row }) => [distinctId, factsOf(row)]));
  return ids.map((id) => found.get(id) ?? UNKNOWN);
}

function factsOf({ personId, properties, ids }: Omit<Row, 'distinctId'>): PersonFacts {
  return { personId, properties: properties ?? '{}', ids: ids.length > 1 ? ids : null };
}

export function propertiesOfFacts({ properties }: PersonFacts): ReadonlyMap<string, unknown> {
  return properties === '{}' ? NOTHING : new Map(Object.entries(JSON.parse(properties)));
}
