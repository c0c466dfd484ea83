import { systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { newUuid } from '../../../kernel/ids.js';
import { lockSymbols } from './crash-events.sql.js';

/** How many days, that of now included, are counted and shown. */
const COUNTED_DAYS = 31;
const DAY_MS = 86_400_000;

interface NotedDay {
  project_id: string;
  environment: string;
  day: string;
}

/** What each symbol that events miss is counted with, by day (UTC) and symbol; `events` names rows of `crash_event`. */
export const MISSING_BY_DAY = (events: string): string => `
select (c.received_at at time zone 'UTC')::date as day, m.missing, count(*) as events,
       min(c.received_at) as first_seen_at, max(c.received_at) as last_seen_at,
       (array_agg(c.event_id order by c.received_at desc, c.event_id desc))[1] as event_id,
       (array_agg(c.release order by c.received_at desc, c.event_id desc) filter (where c.release is not null))[1] as release,
       max(c.received_at) filter (where c.release is not null) as release_seen_at,
       (array_agg(c.event_id order by c.received_at desc, c.event_id desc) filter (where c.release is not null))[1] as release_event_id
  from ${events} c, unnest(c.missing) as m(missing) group by 1, 2`;

/** The events of a day that miss symbols, of which `place` names the project, the environment and the day. */
export const MISSING_ON_DAY = (place: { project: string; environment: string; day: string }): string => `(
  select event_id, received_at, release, missing from crash_event
   where project_id = ${place.project} and environment = ${place.environment} and missing <> '{}'
     and received_at >= ${place.day}::timestamp at time zone 'UTC'
     and received_at < (${place.day} + 1)::timestamp at time zone 'UTC')`;

/** The first day of those that are shown, as PostgreSQL writes it. */
export function firstMissingDay(now: Date): string {
  return new Date(now.getTime() - (COUNTED_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Keeps the table of counts, from which missing symbols are read instead of from the events. Triggers add what is new; a day of which
 * an event changed or went has a note, and counts from its events until it is counted anew.
 */
export class MissingCounts {
  constructor(private readonly tx: Transactions) {}

  /** Counts days with a note anew, and forgets those that are not shown any more. */
  async count(now: Date, signal?: AbortSignal): Promise<void> {
    const caller = systemCaller('symbols', newUuid());
    const first = firstMissingDay(now);
    const noted = await this.tx.write(caller, async ({ em }) => {
      await em.execute('delete from crash_missing_note where day < ?', [first]);
      await em.execute('delete from crash_missing_day where day < ?', [first]);
      return em.execute<NotedDay[]>(
        'select project_id, environment, day::text from crash_missing_note order by 1, 2, 3',
      );
    });
    for (const one of noted) {
      signal?.throwIfAborted();
      await this.tx.write(caller, ({ em }) => this.countAnew(em, one));
    }
  }

  private async countAnew(
    em: Parameters<typeof lockSymbols>[0],
    { project_id, environment, day }: NotedDay,
  ): Promise<void> {
    // Whoever adds to the counts holds it.
    await lockSymbols(em, project_id);
    const place = [project_id, environment, day];
    // The note first: one that comes from here on stays.
    await em.execute('delete from crash_missing_note where project_id = ? and environment = ? and day = ?', place);
    await em.execute('delete from crash_missing_day where project_id = ? and environment = ? and day = ?', place);
    const events = MISSING_ON_DAY({ project: 'given.project_id', environment: 'given.environment', day: 'given.day' });
    await em.execute(
      `insert into crash_missing_day select given.project_id, given.environment, counted.*
         from (select ?::uuid as project_id, ?::text as environment, ?::date as day) given
        cross join lateral (${MISSING_BY_DAY(events)}) counted`,
      place,
    );
  }
}
