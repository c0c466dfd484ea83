import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../../../kernel/actor.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isUuid, timeOfUuid } from '../../../kernel/ids.js';
import { type BothWays, bothWaysPage, decodeCursor, encodeCursor, type Page, totalOf } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { HoursToRead, Span } from '../hours/hours-of-name.js';
import type { AnalyticsEvent } from './analytics-event.js';

/** What is asked of the events of each owner: a project's environment, or all ids of a person. */
export interface EventQuestion extends BothWays {
  of: 'project' | 'person';
  environment?: Environment;
  eventName?: string | null;
  distinctId?: string | null;
  /** Only those of a person's ids. */
  personId?: string | null;
  receivedFrom?: Date | null;
  receivedBefore?: Date | null;
  /** Whether somebody asks how many there are. */
  counts: boolean;
}

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

/** Rows that are counted one by one. */
const MOST_COUNTED = 10_000;

/** Keeps a subquery apart from the rest of its statement, which would count again for each row. */
const ONCE = 'offset 0';

const OF_PERSON = `e.project_id = p.project_id and e.environment = p.environment
   and e.distinct_id = any(array(select distinct_id from person_id where person_id = p.id))`;

type Fragment = [sql: string, ...values: unknown[]];

/**
 * A page of events for each owner, in their order, newest first, in one statement. The order, the cursor and the times of receipt
 * are all the id, which is also what the table is partitioned by, so a page reads one index of as few partitions as it needs.
 * Fails with `invalid_cursor`.
 */
export async function readEventPages(
  em: EntityManager,
  owners: readonly string[],
  question: EventQuestion,
  hours: HoursToRead | null = null,
): Promise<Page<AnalyticsEvent>[]> {
  const size = question.last ?? question.first;
  const conditions = conditionsOf(question);
  const bounds = boundsOf(question);
  const counting = sourceOf(question, hours?.uncounted);
  const reading = sourceOf(question, hours?.page);
  const total: Fragment = question.counts
    ? [
        `(select ${hours?.counted ?? 0} + count(*) from (select from ${counting[0]} e where ${textOf(conditions)} limit ?) c)`,
        ...counting.slice(1),
        ...valuesOf(conditions),
        MOST_COUNTED + 1,
      ]
    : ['null'];
  const rows = await em.execute<Found[]>(
    `select o.place, counted.total, found.*
       from unnest(array[?]::text[]) with ordinality as o(id, place)
       ${question.of === 'person' ? 'join person p on p.id = o.id' : ''}
       cross join lateral (select ${total[0]} as total ${ONCE}) counted
       left join lateral (
         select e.id, e.project_id, e.environment, e.event_name, e.distinct_id, e.occurred_at, e.properties from ${reading[0]} e
          where ${textOf([...conditions, ...bounds])} order by e.id ${question.last == null ? 'desc' : 'asc'} limit ?
       ) found on true`,
    [[...owners], ...total.slice(1), ...reading.slice(1), ...valuesOf([...conditions, ...bounds]), size + 1],
  );
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1);
  return owners.map((_, place) => {
    const own = byPlace.get(place) ?? [];
    const events = own.flatMap((row) => (row.id === null ? [] : [eventOf(row)]));
    const count = async () => totalOf(Number(own[0]?.total ?? 0), MOST_COUNTED);
    return bothWaysPage(events, question, ({ id }) => encodeCursor([id]), count);
  });
}

/** The events of these ids in a project that are there, in their order. */
export async function readEvents(
  em: EntityManager,
  projectId: string,
  environment: Environment | null,
  ids: readonly string[],
): Promise<AnalyticsEvent[]> {
  const rows = await em.execute<EventRow[]>(
    `select id, project_id, environment, event_name, distinct_id, occurred_at, properties from event
      where project_id = ? and environment = any(array[?]) and id = any(array[?]::uuid[])`,
    [projectId, environment ? [environment] : ['live', 'test'], [...ids]],
  );
  const byId = new Map(rows.map((row) => [row.id, eventOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The event of this id in one of some projects. */
export async function readEvent(
  em: EntityManager,
  projectIds: readonly string[],
  id: string,
): Promise<AnalyticsEvent | null> {
  const [row] = await em.execute<EventRow[]>(
    `select id, project_id, environment, event_name, distinct_id, occurred_at, properties from event
      where project_id = any(array[?]::uuid[]) and environment in ('live', 'test') and id = ?`,
    [[...projectIds], id],
  );
  return row ? eventOf(row) : null;
}

/**
 * What events are read from: the table, or some hours of a project's environment in the order of the index. Without the offset the planner would
 * look for the name all over the table, as it does not know how little an hour is.
 */
function sourceOf({ environment }: EventQuestion, hours: readonly Span[] | undefined): Fragment {
  if (!hours) return ['event'];
  const instants = (which: keyof Span) => `{${hours.map((span) => span[which].toISOString()).join(',')}}`;
  const sql = `(select x.* from unnest(?::timestamptz[], ?::timestamptz[]) as s(starts, ends) cross join lateral (
    select * from event where project_id = o.id::uuid and environment = ? and id >= event_id_floor(s.starts) and id < event_id_floor(s.ends)
     order by id offset 0) x)`;
  return [sql, instants('from'), instants('before'), environment];
}

/** No event is received later. */
const LAST = new Date(Date.UTC(9999, 11, 31));

/** The times of receipt that a question is about. */
export function receivedSpan({ receivedFrom, receivedBefore }: EventQuestion): Span {
  return {
    from: receivedFrom ? sinceEpoch(receivedFrom) : new Date(0),
    before: receivedBefore ? sinceEpoch(receivedBefore) : LAST,
  };
}

/** The times of receipt that the cursors leave for a page. */
export function pageSpan({ after, before }: EventQuestion): Span {
  return {
    from: before ? timeOfUuid(placeOf(before)) : new Date(0),
    before: after ? new Date(timeOfUuid(placeOf(after)).getTime() + 1) : LAST,
  };
}

function conditionsOf({ of, environment, eventName, distinctId, personId, ...times }: EventQuestion): Fragment[] {
  const conditions: Fragment[] =
    of === 'person' ? [[OF_PERSON]] : [['e.project_id = o.id::uuid'], ['e.environment = ?', environment]];
  if (times.receivedFrom) conditions.push(['e.id >= event_id_floor(?)', sinceEpoch(times.receivedFrom)]);
  if (times.receivedBefore) conditions.push(['e.id < event_id_floor(?)', sinceEpoch(times.receivedBefore)]);
  if (eventName) conditions.push(['e.event_name = ?', storableText(eventName)]);
  if (distinctId) conditions.push(['e.distinct_id = ?', storableText(distinctId)]);
  if (typeof personId === 'string')
    conditions.push([
      'e.distinct_id = any(array(select distinct_id from person_id where person_id = ?))',
      storableText(personId),
    ]);
  return conditions;
}

function boundsOf({ after, before }: EventQuestion): Fragment[] {
  return [
    ...(after ? [['e.id < ?::uuid', placeOf(after)] as Fragment] : []),
    ...(before ? [['e.id > ?::uuid', placeOf(before)] as Fragment] : []),
  ];
}

const textOf = (fragments: readonly Fragment[]): string => fragments.map(([sql]) => sql).join(' and ');

const valuesOf = (fragments: readonly Fragment[]): unknown[] => fragments.flatMap(([, ...values]) => values);

/** Ids hold no instant before 1970. */
const sinceEpoch = (instant: Date): Date => new Date(Math.max(0, instant.getTime()));

/** An event as GraphQL shows it. */
const eventOf = (row: EventRow): AnalyticsEvent => ({
  id: row.id,
  projectId: row.project_id,
  environment: row.environment,
  eventName: row.event_name,
  distinctId: row.distinct_id,
  occurredAt: new Date(row.occurred_at),
  receivedAt: timeOfUuid(row.id),
  properties: row.properties,
});

function placeOf(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (!isUuid(id)) throw commonFailure('invalid_cursor');
  return id;
}
