import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment, ProjectEnvironment } from '../../../kernel/actor.js';
import { instantOf } from '../../../kernel/database/instants.js';
import { timeOfUuid } from '../../../kernel/ids.js';
import { bothWaysPage, cursorOfId, type Page, totalOf } from '../../../kernel/paging.js';
import type { HoursToRead, Span } from '../hours/hours-of-name.js';
import type { AnalyticsEvent } from './analytics-event.js';
import { EVENTS } from './event-list.js';
import { cursorBounds, EVER, type EventQuestion, isImpossible, orderOf, readsOldestFirst } from './event-question.js';

/** A row of the table; an owner without events has one that counts them. */
type Found = { place: string; total: string | null } & (EventRow | { id: null });

interface EventRow {
  id: string;
  project_id: string;
  environment: Environment;
  event_name: string;
  distinct_id: string;
  occurred_at: string | Date;
  properties: unknown;
}

const MIB = 1024 * 1024;

/** Maximum bytes of JSON properties shown with a requested event, and with one in a subscription. */
const MOST_PROPERTIES = { queried: 4 * MIB, live: MIB / 4 };

/**
 * The columns of a row `e`, with `properties` up to so many bytes, or none. PostgreSQL knows the stored size without reading the value, and
 * its compression never reduces 256 bytes to less than one.
 */
const shown = (most: number | null): string =>
  `e.id, e.project_id, e.environment, e.event_name, e.distinct_id, e.occurred_at, ${
    most === null
      ? 'null'
      : `case when pg_column_size(e.properties) <= ${most / 256} or octet_length(e.properties::text) <= ${most} then e.properties end`
  } as properties`;

/** Keeps a subquery apart from the rest of its statement, which would otherwise count again for each row. */
const ONCE = 'offset 0';

const OF_PERSON = `e.project_id = p.project_id and e.environment = p.environment
   and e.distinct_id = any(array(select distinct_id from person_id where person_id = p.id))`;

type Fragment = [sql: string, ...values: unknown[]];

/**
 * A page of events for each owner, in their order, in one statement. The order, the cursor and the times of receipt are all the id, which
 * is also the partition key, so a page reads one index of as few partitions as possible. Fails with `invalid_cursor`.
 */
export async function readEventPages(
  em: EntityManager,
  owners: readonly string[],
  question: EventQuestion,
  hours: HoursToRead | null,
): Promise<Page<AnalyticsEvent>[]> {
  const size = question.last ?? question.first;
  const bounds = boundsOf(question);
  const cursorOf = cursorOfId(orderOf(question));
  const projects = question.of === 'project' ? owners : null;
  const persons = question.personIds?.length ? await readIdsOfPersons(em, question.personIds, projects) : null;
  if (isImpossible(question) || persons?.length === 0) {
    const none = async () => totalOf(0, EVENTS.mostCounted);
    return owners.map(() => bothWaysPage<AnalyticsEvent>([], question, cursorOf, none));
  }
  const conditions = conditionsOf(question, persons);
  const counting = sourceOf(question, hours?.uncounted);
  const reading = sourceOf(question, hours?.page);
  const total: Fragment = question.counts
    ? [
        `(select ${hours?.counted ?? 0} + count(*) from (select from ${counting[0]} e where ${textOf(conditions)} limit ?) c)`,
        ...counting.slice(1),
        ...valuesOf(conditions),
        EVENTS.mostCounted + 1,
      ]
    : ['null'];
  const rows = await em.execute<Found[]>(
    `select o.place, counted.total, ${shown(question.properties ? MOST_PROPERTIES.queried : null)}
       from unnest(array[?]::text[]) with ordinality as o(id, place)
       ${question.of === 'person' ? 'join person p on p.id = o.id' : ''}
       cross join lateral (select ${total[0]} as total ${ONCE}) counted
       left join lateral (
         select e.* from ${reading[0]} e
          where ${textOf([...conditions, ...bounds])} order by e.id ${readsOldestFirst(question) ? 'asc' : 'desc'} limit ?
       ) e on true`,
    [[...owners], ...total.slice(1), ...reading.slice(1), ...valuesOf([...conditions, ...bounds]), size + 1],
  );
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1);
  return owners.map((_, place) => {
    const own = byPlace.get(place) ?? [];
    const events = own.flatMap((row) => (row.id === null ? [] : [eventOf(row)]));
    const count = async () => totalOf(Number(own[0]?.total ?? 0), EVENTS.mostCounted);
    return bothWaysPage(events, question, cursorOf, count);
  });
}

/** The existing events with these ids in a project, in their order. */
export async function readEvents(
  em: EntityManager,
  projectId: string,
  environment: Environment | null,
  ids: readonly string[],
): Promise<AnalyticsEvent[]> {
  const rows = await em.execute<EventRow[]>(
    `select ${shown(MOST_PROPERTIES.live)} from event e
      where project_id = ? and environment = any(array[?]) and id = any(array[?]::uuid[])`,
    [projectId, environment ? [environment] : ['live', 'test'], [...ids]],
  );
  const byId = new Map(rows.map((row) => [row.id, eventOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function readEvent(
  em: EntityManager,
  projectIds: readonly string[],
  id: string,
): Promise<AnalyticsEvent | null> {
  const [row] = await em.execute<EventRow[]>(
    `select ${shown(MOST_PROPERTIES.queried)} from event e
      where project_id = any(array[?]::uuid[]) and environment in ('live', 'test') and id = ?`,
    [[...projectIds], id],
  );
  return row ? eventOf(row) : null;
}

/**
 * The source of events: the table, or some hours of a project's environment in index order. Without the offset the planner would search the
 * whole table for the name, because it doesn't know how small an hour is.
 */
function sourceOf({ environment }: EventQuestion, hours: readonly Span[] | undefined): Fragment {
  if (!hours) return ['event'];
  const instants = (which: keyof Span) => `{${hours.map((span) => span[which].toISOString()).join(',')}}`;
  const sql = `(select x.* from unnest(?::timestamptz[], ?::timestamptz[]) as s(starts, ends) cross join lateral (
    select * from event where project_id = o.id::uuid and environment = ? and id >= event_id_floor(s.starts) and id < event_id_floor(s.ends)
     order by id offset 0) x)`;
  return [sql, instants('from'), instants('before'), environment];
}

function conditionsOf(
  { of, environment, eventNames, distinctIds, received }: EventQuestion,
  persons: readonly IdsOfPersons[] | null,
): Fragment[] {
  const conditions: Fragment[] =
    of === 'person' ? [[OF_PERSON]] : [['e.project_id = o.id::uuid'], ['e.environment = ?', environment]];
  if (received.from > EVER.from) conditions.push(['e.id >= event_id_floor(?)', received.from]);
  if (received.before < EVER.before) conditions.push(['e.id < event_id_floor(?)', received.before]);
  conditions.push(...oneOf('e.event_name', eventNames), ...oneOf('e.distinct_id', distinctIds));
  if (persons) conditions.push(anyOf(persons.map(byPersons)));
  return conditions;
}

/** Their ids are inlined in the statement: the planner knows how many events an id has, but not what a subquery will find. */
function byPersons(persons: IdsOfPersons): Fragment {
  const own: Fragment[] = [
    ['e.project_id = ?', persons.projectId],
    ['e.environment = ?', persons.environment],
    ...oneOf('e.distinct_id', persons.distinctIds),
  ];
  return [textOf(own), ...valuesOf(own)];
}

const anyOf = (fragments: readonly Fragment[]): Fragment => [
  `(${fragments.map(([sql]) => sql).join(' or ')})`,
  ...valuesOf(fragments),
];

/** A single value is compared with =, because the planner estimates that better than a list. */
function oneOf(column: string, texts: readonly string[] | null): Fragment[] {
  if (!texts) return [];
  return texts.length === 1 ? [[`${column} = ?`, texts[0]]] : [[`${column} = any(array[?]::text[])`, [...texts]]];
}

function boundsOf(question: EventQuestion): Fragment[] {
  const { above, below } = cursorBounds(question);
  return [
    ...(below ? [['e.id < ?::uuid', below] as Fragment] : []),
    ...(above ? [['e.id > ?::uuid', above] as Fragment] : []),
  ];
}

const textOf = (fragments: readonly Fragment[]): string => fragments.map(([sql]) => sql).join(' and ');

const valuesOf = (fragments: readonly Fragment[]): unknown[] => fragments.flatMap(([, ...values]) => values);

const eventOf = (row: EventRow): AnalyticsEvent => ({
  id: row.id,
  projectId: row.project_id,
  environment: row.environment,
  eventName: row.event_name,
  distinctId: row.distinct_id,
  occurredAt: typeof row.occurred_at === 'string' ? instantOf(row.occurred_at) : row.occurred_at,
  receivedAt: timeOfUuid(row.id),
  properties: row.properties,
});

interface IdsOfPersons extends ProjectEnvironment {
  distinctIds: string[];
}

/** All ids of these persons, in these projects or in every one that a person is in. */
function readIdsOfPersons(
  em: EntityManager,
  personIds: readonly string[],
  projectIds: readonly string[] | null,
): Promise<IdsOfPersons[]> {
  const [within, values] = projectIds ? [' and project_id = any(array[?]::uuid[])', [[...projectIds]]] : ['', []];
  return em.execute<IdsOfPersons[]>(
    `select project_id as "projectId", environment, array_agg(distinct_id) as "distinctIds" from person_id
      where person_id = any(array[?])${within} group by project_id, environment`,
    [[...personIds], ...values],
  );
}
