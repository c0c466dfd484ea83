import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { HOUR_MS } from '../../../kernel/values/durations.js';
import { earliestReceipt, type Interval } from './count-intervals.js';

export interface HoursQuery extends ProjectEnvironment {
  /** All events if null. */
  eventName: string | null;
  /** By `occurred_at`, inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  interval: Interval;
}

const floorHour = (instant: Date): Date => new Date(Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS);
const ceilHour = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / HOUR_MS) * HOUR_MS);

/**
 * $1 project, $2 environment, $3 and $4 the requested time, $5 and $6 the whole hours within it, $7 the hours that it cuts at its start and
 * end, $8 the earliest receipt, $9 the interval, $10 the event's name if one is given. Events are read where nothing is counted yet, where
 * a note says that counts are outdated, and for the hours that are cut.
 */
function statement(ofName: boolean): string {
  const named = (column: string) => (ofName ? `and ${column} = $10` : '');
  // Without the offset the planner would read the whole table, because it doesn't know how small an hour is.
  const ofHour = (hours: string, condition: string) => `
  select date_trunc($9, e.occurred_at, 'UTC'), 1 from place cross join ${hours} h cross join lateral (
    select occurred_at, event_name from event where project_id = $1 and environment = $2
       and id >= event_id_floor(h.received) and id < event_id_floor(least(h.received + interval '1 hour', counted_to)) order by id offset 0) e
   where e.occurred_at >= $3 and e.occurred_at < $4 ${condition} ${named('e.event_name')}`;
  return `
with place as (
  select coalesce((select counted_to from event_hours where project_id = $1 and environment = $2), '-infinity') as counted_to
), noted as (
  select distinct received from event_hour_note, place
   where project_id = $1 and environment = $2 and received < counted_to and received >= hour_of($8)
), cut as (
  select distinct received from event_hour
   where project_id = $1 and environment = $2 and occurred = any($7::timestamptz[]) and not (occurred >= $5 and latest < $4)
     ${named('event_name')} and received not in (select received from noted)
), counted as (
  select date_trunc($9, occurred, 'UTC') as at, count from event_hour
   where project_id = $1 and environment = $2 and occurred >= $5 and occurred < $6 ${named('event_name')}
     and received not in (select received from noted)
  union all
  select date_trunc($9, occurred, 'UTC'), count from event_hour
   where project_id = $1 and environment = $2 and occurred = any($7::timestamptz[]) and occurred >= $5 ${named('event_name')}
     and received not in (select received from noted) and received not in (select received from cut)
  union all
  select date_trunc($9, e.occurred_at, 'UTC'), 1 from place cross join lateral (
    select occurred_at from event where project_id = $1 and environment = $2
       and id >= event_id_floor(greatest(counted_to, $8)) and occurred_at >= $3 and occurred_at < $4 ${named('event_name')}) e
  union all ${ofHour('noted', '')}
  union all ${ofHour('cut', 'and not (e.occurred_at >= $5 and e.occurred_at < $6)')}
)
select (extract(epoch from counted.at) * 1000)::bigint::text as at, sum(count)::text as count from counted group by counted.at`;
}

const OF_ALL = { name: 'event_counts', text: statement(false) };
const OF_NAME = { name: 'event_counts_of_name', text: statement(true) };

/** Start of an interval in Unix milliseconds, and how many events are in it; intervals without events are left out. */
export async function countedHours(ctx: Context, query: HoursQuery): Promise<Map<number, number>> {
  const { projectId, environment, eventName, from, to, interval } = query;
  const cut = [from, to].filter((instant) => instant.getTime() % HOUR_MS !== 0).map(floorHour);
  const received = earliestReceipt(from);
  const values = [projectId, environment, from, to, ceilHour(from), floorHour(to), cut, received, interval];
  const rows = await ctx.rows<{ at: string; count: string }>(
    eventName === null ? OF_ALL : OF_NAME,
    eventName === null ? values : [...values, eventName],
  );
  return new Map(rows.map(({ at, count }) => [Number(at), Number(count)]));
}
