import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isUuid } from '../../../kernel/ids.js';
import { decodeCursor, encodeCursor, type Page, type PageArgs, pageOf, totalOf } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { authorize } from '../../access/guard.js';
import type { AnalyticsEvent } from './analytics-event.js';
import { receivedAtOf } from './event-ids.js';

export interface EventFilter {
  projectId: string;
  environment: Environment;
  eventName?: string | null;
  distinctId?: string | null;
  /** All events of a person's ids. */
  personId?: string | null;
  receivedFrom?: Date | null;
  receivedBefore?: Date | null;
}

/** A row of the table. */
export interface EventRow {
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

/** Reads ingested events. */
export class EventService {
  /**
   * Events of an environment, newest first. The order, the cursor and the times of receipt are all the id, which is also what the
   * table is partitioned by, so a page reads one index of as few partitions as it needs.
   */
  async list(ctx: Context, filter: EventFilter, page: PageArgs): Promise<Page<AnalyticsEvent>> {
    const project = await authorize(ctx, 'event.view', filter.projectId);
    const conditions = ['project_id = ?', 'environment = ?'];
    const values: unknown[] = [project.id, filter.environment];
    const where = (condition: string, value: unknown) => {
      conditions.push(condition);
      values.push(value);
    };
    if (filter.receivedFrom) where('id >= event_id_floor(?)', sinceEpoch(filter.receivedFrom));
    if (filter.receivedBefore) where('id < event_id_floor(?)', sinceEpoch(filter.receivedBefore));
    if (filter.eventName) where('event_name = ?', storableText(filter.eventName));
    if (filter.distinctId) where('distinct_id = ?', storableText(filter.distinctId));
    if (typeof filter.personId === 'string') {
      where(
        'distinct_id = any(array(select distinct_id from person_id where person_id = ?))',
        storableText(filter.personId),
      );
    }
    const uncut = { sql: conditions.join(' and '), values: [...values] };
    const count = async () => {
      const [row] = await ctx.em.execute<{ count: string }[]>(
        `select count(*) from (select from event where ${uncut.sql} limit ?) e`,
        [...uncut.values, MOST_COUNTED + 1],
      );
      return totalOf(Number(row?.count), MOST_COUNTED);
    };
    if (page.after) where('id < ?', cursorId(page.after));
    const rows = await ctx.em.execute<EventRow[]>(
      `select id, project_id, environment, event_name, distinct_id, occurred_at, properties
         from event where ${conditions.join(' and ')} order by id desc limit ?`,
      [...values, page.first + 1],
    );
    return pageOf(rows.map(eventOf), page.first, ({ id }) => encodeCursor([id]), count, page.after);
  }
}

/** Ids hold no instant before 1970. */
const sinceEpoch = (instant: Date): Date => new Date(Math.max(0, instant.getTime()));

/** An event as GraphQL shows it. */
export const eventOf = (row: EventRow): AnalyticsEvent => ({
  id: row.id,
  projectId: row.project_id,
  environment: row.environment,
  eventName: row.event_name,
  distinctId: row.distinct_id,
  occurredAt: new Date(row.occurred_at),
  receivedAt: receivedAtOf(row.id),
  properties: row.properties,
});

function cursorId(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (!isUuid(id)) throw commonFailure('invalid_cursor');
  return id;
}
