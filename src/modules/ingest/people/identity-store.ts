import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { WarningReason } from '../warnings/warning-reasons.js';
import type { IdentityOperations } from './identity-operations.js';
import { type IdentityChanges, IdentityState, type KnownId } from './identity-state.js';

/** Runs one statement inside the transaction that the identities change in. */
export interface IdentityConnection {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>;
}

const scopeKey = ({ projectId, environment }: ProjectEnvironment): string => `${projectId} ${environment}`;

/**
 * Takes the locks for changing identities of these environments, in one order for everyone, until the transaction ends. Changes to one
 * environment's identities run one after the other, so hot ids neither race nor deadlock.
 */
export async function lockIdentities(
  connection: IdentityConnection,
  scopes: readonly ProjectEnvironment[],
): Promise<void> {
  const keys = [...new Set(scopes.map(scopeKey))].sort();
  await connection.query(
    `select pg_advisory_xact_lock(hashtextextended(scope, 3)) from unnest($1::text[]) with ordinality as s(scope, n) order by n`,
    [keys],
  );
}

/** Like {@link lockIdentities}, in a verb's transaction. */
export async function lockIdentitiesOf(em: EntityManager, scope: ProjectEnvironment): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 3))', [scopeKey(scope)]);
}

/**
 * Takes the lock and deletes a person with these ids and the merges that can be undone, at the end of a verb's transaction and in one
 * statement: others wait for it until the commit. Fails so that the verb is run again if the person has other ids by now.
 */
export async function deleteIdentity(
  em: EntityManager,
  scope: ProjectEnvironment,
  personId: string,
  ids: readonly string[],
): Promise<void> {
  await em.execute('select delete_identity(?, ?, ?::text[])', [scopeKey(scope), personId, textArray(ids)]);
}

/** If everything together exceeds $5 bytes, nothing large is read: the properties are null then. */
const LOAD = `
  select "distinctId", "personId", "aliasOf", "createdAt",
         case when bytes <= $5 then properties::text end as properties,
         case when bytes <= $5 and "distinctId" = any($4) then
           (select array_agg(all_ids.distinct_id) from person_id all_ids where all_ids.person_id = "personId")
         else array["distinctId"] end as "personIds"
    from (select i.distinct_id as "distinctId", i.person_id as "personId", i.alias_of as "aliasOf",
                 p.properties, p.created_at as "createdAt", sum(p.properties_bytes + coalesce(ids.bytes, 0)) over () as bytes
            from person_id i join person p on p.id = i.person_id
            left join lateral (select sum(octet_length(all_ids.distinct_id)) as bytes from person_id all_ids
                                where all_ids.person_id = i.person_id and i.distinct_id = any($4)) ids on true
           where i.project_id = $1 and i.environment = $2 and i.distinct_id = any($3)) as known`;

const SAVE_PERSONS = `
  insert into person (id, project_id, environment, properties, created_at, updated_at)
  select id, $1, $2, properties::jsonb, created_at, $3
    from unnest($4::text[], $5::text[], $6::timestamptz[]) as t(id, properties, created_at)
  on conflict (id) do update set properties = excluded.properties, updated_at = excluded.updated_at`;

const MOVE_IDS = `
  update person_id i set person_id = m.into_id
    from unnest($1::text[], $2::text[]) as m(from_id, into_id) where i.person_id = m.from_id`;

const SAVE_IDS = `
  insert into person_id (project_id, environment, distinct_id, person_id, alias_of, created_at)
  select $1, $2, distinct_id, person_id, alias_of, $3
    from unnest($4::text[], $5::text[], $6::text[]) as t(distinct_id, person_id, alias_of)
  on conflict (project_id, environment, distinct_id)
  do update set person_id = excluded.person_id, alias_of = excluded.alias_of`;

const SAVE_MERGES = `
  insert into person_merge (id, project_id, environment, alias_id, distinct_id, person_id, merged_person_id, merged_ids,
                            merged_properties, taken_properties, merged_created_at, merged_at)
  select m->>'id', $1, $2, m->>'aliasId', m->>'distinctId', m->>'personId', m->>'mergedPersonId',
         array(select jsonb_array_elements_text(m->'mergedIds')), (m->>'mergedProperties')::jsonb,
         (m->>'takenProperties')::jsonb, (m->>'mergedCreatedAt')::timestamptz, $3
    from jsonb_array_elements($4::jsonb) as m`;

/** How much stored data is read at once, and how much a transaction reads while others wait for it. */
const MOST_BYTES = 1024 * 1024;
/** Changes that read more than allowed while others wait for them; they weren't made. */
export class HeavyIdentities extends Error {
  constructor() {
    super('these identities take longer than others should wait');
  }
}

/**
 * Applies the operations of one environment in order, all aliases before all people of a request, and returns what was ignored. Fails with
 * {@link HeavyIdentities} if the stored data of these persons exceeds `limit` bytes.
 */
export async function changeIdentities(
  connection: IdentityConnection,
  scope: ProjectEnvironment,
  requests: readonly IdentityOperations[],
  now: Date,
  limit = MOST_BYTES,
): Promise<WarningReason[]> {
  const aliasIds = requests.flatMap(({ aliases }) => aliases.map(({ aliasId }) => aliasId));
  const keptIds = requests.flatMap(({ aliases }) => aliases.map(({ distinctId }) => distinctId));
  const peopleIds = requests.flatMap(({ people }) => people.map(({ distinctId }) => distinctId));
  const unitable = [...new Set([...aliasIds, ...keptIds])];
  const wanted = [...new Set([...unitable, ...peopleIds])];
  const known = await connection.query<KnownId & QueryResultRow>(LOAD, [
    scope.projectId,
    scope.environment,
    wanted,
    unitable,
    Math.min(limit, Number.MAX_SAFE_INTEGER),
  ]);
  if (known.some(({ properties }) => properties === null)) throw new HeavyIdentities();
  const state = new IdentityState(known, now);
  const warnings: WarningReason[] = [];
  for (const { aliases, people } of requests) {
    for (const { aliasId, distinctId } of aliases) {
      const ignored = state.alias(aliasId, distinctId);
      if (ignored) warnings.push(ignored);
    }
    for (const { distinctId, properties } of people) {
      const ignored = state.people(distinctId, properties);
      if (ignored) warnings.push(ignored);
    }
  }
  await saveChanges(connection, scope, state.changes(), now);
  return warnings;
}

/** Like {@link changeIdentities}, in as many parts as it takes to read a mebibyte at a time; only a single operation may read more. */
export async function changeIdentitiesInParts(
  connection: IdentityConnection,
  scope: ProjectEnvironment,
  { aliases, people }: IdentityOperations,
  now: Date,
): Promise<WarningReason[]> {
  const operations = aliases.length + people.length;
  const limit = operations > 1 ? MOST_BYTES : Number.POSITIVE_INFINITY;
  try {
    return await changeIdentities(connection, scope, [{ aliases, people }], now, limit);
  } catch (error) {
    if (!(error instanceof HeavyIdentities)) throw error;
  }
  const half = Math.floor(operations / 2);
  const others = Math.max(half - aliases.length, 0);
  const first = { aliases: aliases.slice(0, half), people: people.slice(0, others) };
  const second = { aliases: aliases.slice(half), people: people.slice(others) };
  const warnings = await changeIdentitiesInParts(connection, scope, first, now);
  return [...warnings, ...(await changeIdentitiesInParts(connection, scope, second, now))];
}

async function saveChanges(
  connection: IdentityConnection,
  { projectId, environment }: ProjectEnvironment,
  { persons, ids, moves, merges }: IdentityChanges,
  now: Date,
): Promise<void> {
  if (persons.length > 0) {
    await connection.query(SAVE_PERSONS, [
      projectId,
      environment,
      now,
      persons.map(({ id }) => id),
      persons.map(({ properties }) => properties),
      persons.map(({ createdAt }) => createdAt),
    ]);
  }
  if (moves.length > 0) {
    await connection.query(MOVE_IDS, [moves.map(({ from }) => from), moves.map(({ to }) => to)]);
    await connection.query('delete from person where id = any($1)', [moves.map(({ from }) => from)]);
  }
  if (ids.length > 0) {
    await connection.query(SAVE_IDS, [
      projectId,
      environment,
      now,
      ids.map(({ distinctId }) => distinctId),
      ids.map(({ personId }) => personId),
      ids.map(({ aliasOf }) => aliasOf),
    ]);
  }
  if (merges.length > 0) await connection.query(SAVE_MERGES, [projectId, environment, now, JSON.stringify(merges)]);
}

/** Requests with people or aliases, grouped by environment. */
export function byEnvironment<Request extends IdentityOperations & { readonly tenant: ProjectEnvironment }>(
  requests: readonly Request[],
): { scope: ProjectEnvironment; requests: Request[] }[] {
  const groups = new Map<string, { scope: ProjectEnvironment; requests: Request[] }>();
  for (const request of requests) {
    if (request.people.length === 0 && request.aliases.length === 0) continue;
    const key = scopeKey(request.tenant);
    const group = groups.get(key) ?? { scope: request.tenant, requests: [] };
    group.requests.push(request);
    groups.set(key, group);
  }
  return [...groups.values()];
}
