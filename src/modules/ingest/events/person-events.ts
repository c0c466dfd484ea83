import { commonFailure } from '../../../kernel/errors.js';
import { isUuid } from '../../../kernel/ids.js';
import { decodeCursor, encodeCursor, type Page, type PageArgs, pageOf, totalOf } from '../../../kernel/paging.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import type { AnalyticsEvent } from './analytics-event.js';
import { type EventRow, eventOf } from './event.service.js';

const PAGES = Symbol('pages of the events of persons');
const MOST_COUNTED = 10_000;

interface Asked {
  personId: string;
  first: number;
  after: string | null;
  counts: boolean;
}

/** A page of the events of a person's ids, newest first, for a caller who sees the person; all persons of a level in one statement. */
export function eventsOfPerson(
  operation: OperationContext,
  personId: string,
  { first, after = null }: PageArgs,
): Promise<Page<AnalyticsEvent>> {
  const asked = { personId, first, after, counts: Boolean(operation.wantsTotal) };
  return loader(operation, PAGES, (all: readonly Asked[]) => readAll(operation, all), JSON.stringify).load(asked);
}

async function readAll(operation: OperationContext, all: readonly Asked[]): Promise<Page<AnalyticsEvent>[]> {
  const found = new Map<string, Page<AnalyticsEvent>>();
  for (const group of Map.groupBy(all, ({ first, after, counts }) => JSON.stringify([first, after, counts])).values()) {
    for (const [key, page] of await readGroup(operation, group)) found.set(key, page);
  }
  return all.map((asked) => found.get(JSON.stringify(asked)) as Page<AnalyticsEvent>);
}

const OF_PERSON = `e.project_id = p.project_id and e.environment = p.environment
   and e.distinct_id = any(array(select distinct_id from person_id where person_id = p.id))`;

/** A person without events has one row, which counts them. */
type Found = { person: string; total: string | null } & (EventRow | { id: null });

async function readGroup(
  { current }: OperationContext,
  group: readonly Asked[],
): Promise<[string, Page<AnalyticsEvent>][]> {
  const { first, after, counts } = group[0] as Asked;
  const before = after === null ? null : String(decodeCursor(after, 1)[0]);
  if (before !== null && !isUuid(before)) throw commonFailure('invalid_cursor');
  const total = counts
    ? `(select count(*) from (select from event e where ${OF_PERSON} limit ${MOST_COUNTED + 1}) c)`
    : 'null';
  const rows = await current.em.execute<Found[]>(
    `select p.id as person, counted.total, found.*
       from person p
       cross join lateral (select ${total} as total) counted
       left join lateral (
         select id, project_id, environment, event_name, distinct_id, occurred_at, properties from event e
          where ${OF_PERSON} and (?::uuid is null or id < ?::uuid) order by id desc limit ?
       ) found on true
      where p.id = any(array[?]::text[])`,
    [before, before, first + 1, group.map(({ personId }) => personId)],
  );
  const byPerson = Map.groupBy(rows, ({ person }) => person);
  return group.map((asked) => {
    const own = byPerson.get(asked.personId) ?? [];
    const events = own.flatMap((row) => (row.id === null ? [] : [eventOf(row)]));
    const count = async () => totalOf(Number(own[0]?.total ?? 0), MOST_COUNTED);
    return [JSON.stringify(asked), pageOf(events, first, ({ id }) => encodeCursor([id]), count, after)];
  });
}
