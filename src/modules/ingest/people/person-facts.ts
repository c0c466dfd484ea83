import type { Pool } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import { storableText } from '../../../kernel/text.js';

/** What is stored about the person behind an id, packed. */
export interface PersonFacts {
  /** Null when nobody knows the id. */
  readonly personId: string | null;
  /** JSON text of an object of the properties that were asked for. */
  readonly properties: string;
  /** All ids of the person; null when it has no other. */
  readonly ids: readonly string[] | null;
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();
/** Nobody knows this id. */
export const UNKNOWN: PersonFacts = { personId: null, properties: '{}', ids: null };

const FACTS = `
  select i.distinct_id as "distinctId", i.person_id as "personId",
         case when $4::text[] is null then p.properties
              else (select jsonb_object_agg(key, p.properties -> key) from unnest($4::text[]) as key where p.properties ? key)
         end::text as properties,
         array(select distinct_id from person_id where $5 and person_id = i.person_id) as ids
    from unnest($3::text[]) as asked(id)
    join person_id i on i.project_id = $1 and i.environment = $2 and i.distinct_id = asked.id
    join person p on p.id = i.person_id`;

interface Row {
  distinctId: string;
  personId: string;
  properties: string | null;
  ids: string[];
}

/** Which facts are asked for: the properties of these keys, all when null; and whether the person's other ids. */
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
  const { rows } = await pool.query<Row>({
    name: 'person-facts',
    text: FACTS,
    values: [projectId, environment, ids, wanted.properties, wanted.ids],
  });
  const found = new Map(rows.map(({ distinctId, ...row }) => [distinctId, factsOf(row)]));
  return ids.map((id) => found.get(id) ?? UNKNOWN);
}

function factsOf({ personId, properties, ids }: Omit<Row, 'distinctId'>): PersonFacts {
  return { personId, properties: properties ?? '{}', ids: ids.length > 1 ? ids : null };
}

/** The properties among packed facts. */
export function propertiesOfFacts({ properties }: PersonFacts): ReadonlyMap<string, unknown> {
  return properties === '{}' ? NOTHING : new Map(Object.entries(JSON.parse(properties)));
}
