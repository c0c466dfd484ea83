import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { earliestReceipt } from './count-intervals.js';

/** Of an event: whether it starts a session (docs/sdk.md, Sessions), and in which release; `''` if the client didn't say. */
export const IS_SESSION = `event_name = 'session_start' and coalesce(properties ->> 'session_id', '') <> ''`;
export const SESSION_RELEASE = `left(coalesce(properties ->> 'release', ''), 2000)`;

/** Sessions that started within a UTC day with a release. */
export interface StartedSessions {
  /** Start of the day, in Unix milliseconds. */
  day: number;
  release: string;
  count: number;
}

/**
 * $1 project, $2 environment, $3 and $4 whole hours, $5 the earliest receipt. Events are read where nothing is counted yet and where a note
 * says that counts are outdated.
 */
const STARTED = {
  name: 'started_sessions',
  text: `
with place as (
  select coalesce((select counted_to from event_hours where project_id = $1 and environment = $2), '-infinity') as counted_to
), noted as (
  select distinct received from event_hour_note, place
   where project_id = $1 and environment = $2 and received < counted_to and received >= hour_of($5)
), started as (
  select date_trunc('day', occurred, 'UTC') as day, release, count from session_hour
   where project_id = $1 and environment = $2 and occurred >= $3 and occurred < $4 and received not in (select received from noted)
  union all
  select date_trunc('day', e.occurred_at, 'UTC'), e.release, 1 from place cross join lateral (
    select occurred_at, ${SESSION_RELEASE} as release from event where project_id = $1 and environment = $2
       and id >= event_id_floor(greatest(counted_to, $5)) and occurred_at >= $3 and occurred_at < $4 and ${IS_SESSION}) e
  union all
  select date_trunc('day', e.occurred_at, 'UTC'), e.release, 1 from place cross join noted h cross join lateral (
    select occurred_at, ${SESSION_RELEASE} as release from event where project_id = $1 and environment = $2
       and id >= event_id_floor(h.received) and id < event_id_floor(least(h.received + interval '1 hour', counted_to)) and ${IS_SESSION}
     order by id offset 0) e
   where e.occurred_at >= $3 and e.occurred_at < $4
)
select (extract(epoch from day) * 1000)::float8 as day, release, sum(count)::float8 as count from started group by started.day, release`,
};

/** Sessions that started between two whole hours, by day and release: each accepted event counts once. */
export function startedSessions(
  ctx: Context,
  place: ProjectEnvironment,
  { from, to }: { from: Date; to: Date },
): Promise<StartedSessions[]> {
  return ctx.rows<StartedSessions>(STARTED, [place.projectId, place.environment, from, to, earliestReceipt(from)]);
}
