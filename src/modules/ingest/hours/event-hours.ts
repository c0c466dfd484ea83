import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { eachApart } from '../../../kernel/database/each-apart.js';
import { inTransaction } from '../../../kernel/database/pool-transaction.js';
import { LONGEST_KEY_BYTES } from '../../../kernel/text.js';
import { HOUR_MS } from '../../../kernel/values/durations.js';
import { knownPlaces } from './known-places.sql.js';
import { IS_SESSION, SESSION_RELEASE } from './started-sessions.js';

/** Maximum hours counted in one transaction. */
const SLICE_HOURS = 6;
/**
 * Kinds of rows (name and hour of occurrence) in one hour above which it isn't worth a table and is still counted on demand, like an hour
 * with a name or a release too long for the table's keys.
 */
const MOST_KINDS = 5_000;
const FENCE_POLL_MS = 250;
const COUNTS = ['event_hour', 'session_hour'];

interface Counted {
  countedTo: Date;
}

/** Places with something to count before $1: an hour that ended, or more than $2 events. */
const PLACES = `
${knownPlaces('event')}
select known.project_id as "projectId", known.environment from known left join event_hours h using (project_id, environment)
 where h.counted_to is null or h.counted_to < hour_of($1) or exists (
   select from event e where e.project_id = known.project_id and e.environment = known.environment
      and e.id >= event_id_floor(h.counted_to) and e.id < event_id_floor($1) offset $2)`;

/** Where an environment's uncounted events begin: after the counted ones, or in the hour of its first event. */
const BEGIN = `
insert into event_hours (project_id, environment, counted_to)
select $1, $2, event_id_hour(id) from event where project_id = $1 and environment = $2 order by id limit 1
on conflict (project_id, environment) do update set counted_to = event_hours.counted_to
returning counted_to as "countedTo"`;

const OF_PLACE = 'project_id = $1 and environment = $2';
const COUNTED_TO = `select counted_to as "countedTo" from event_hours where ${OF_PLACE} for update`;

const OF_EVENTS = `${OF_PLACE} and id >= event_id_floor($3) and id < event_id_floor($4)`;
const OF_HOURS = `${OF_PLACE} and received >= hour_of($3) and received < $4`;

/** Adds everything received from $3 on and before $4 to the counts of its hours. */
const COUNT = `
with counted as (
  select event_name, event_id_hour(id) as received, hour_of(occurred_at) as occurred, count(*) as count,
         bit_or(1::bigint << event_id_minute(id)) as minutes, max(occurred_at) as latest
    from event where ${OF_EVENTS} group by 1, 2, 3
), begun as (
  select event_id_hour(id) as received, hour_of(occurred_at) as occurred, ${SESSION_RELEASE} as release, count(*) as count
    from event where ${OF_EVENTS} and ${IS_SESSION} group by 1, 2, 3
), kinds as (
  select received, octet_length(event_name) as bytes from (
    select received, occurred, event_name from counted union select received, occurred, event_name from event_hour where ${OF_HOURS}) events
  union all
  select received, octet_length(release) from (
    select received, occurred, release from begun union select received, occurred, release from session_hour where ${OF_HOURS}) sessions
), known as (
  select received from event_hour_note where ${OF_HOURS} and is_manifold
), manifold as (
  insert into event_hour_note (project_id, environment, received, is_manifold)
  select $1, $2, received, true from kinds where received not in (select received from known)
   group by received having count(*) > ${MOST_KINDS} or max(bytes) > ${LONGEST_KEY_BYTES}
  returning received
), uncounted as (
  select received from known union all select received from manifold
), forgotten_events as (
  delete from event_hour where ${OF_HOURS} and received in (select received from manifold)
), forgotten_sessions as (
  delete from session_hour where ${OF_HOURS} and received in (select received from manifold)
), sessions as (
  insert into session_hour (project_id, environment, received, occurred, release, count)
  select $1, $2, received, occurred, release, count from begun where received not in (select received from uncounted)
  on conflict (project_id, environment, received, occurred, release) do update set count = session_hour.count + excluded.count
)
insert into event_hour (project_id, environment, event_name, received, occurred, count, minutes, latest)
select $1, $2, event_name, received, occurred, count, minutes, latest from counted where received not in (select received from uncounted)
on conflict (project_id, environment, event_name, received, occurred)
do update set count = event_hour.count + excluded.count, minutes = event_hour.minutes | excluded.minutes,
              latest = greatest(event_hour.latest, excluded.latest)`;

const NOTED = `
select distinct n.project_id as "projectId", n.environment, n.received
  from event_hour_note n join event_hours h on h.project_id = n.project_id and h.environment = n.environment
 where not n.is_manifold and n.received < h.counted_to`;

/**
 * Maintains the table of hourly counts, which dashboards read instead of the events. A minute is counted once nobody can add to it without
 * a note; an hour with a note is recounted, and until then read from its events. The counts match the events at every moment.
 */
export class EventHours {
  /**
   * @param patienceMs how long a run waits for writers who began before it
   * @param mostUncounted events of one environment that wait for the end of their hour, because reading them is as fast as reading counts
   */
  constructor(
    private readonly pool: Pool,
    private readonly patienceMs = 60_000,
    private readonly mostUncounted = 1_000,
  ) {}

  /**
   * Counts what has settled since the last run, and the hours that changed afterwards. A failure in one environment doesn't hold up the
   * others, and is thrown after they are done.
   */
  count(signal?: AbortSignal): Promise<void> {
    return eachApart([this.countSettled, this.countNoted], (step) => step.call(this, signal), signal);
  }

  private async countSettled(signal?: AbortSignal): Promise<void> {
    const settled = await this.settled();
    if (!settled) return;
    const { rows: places } = await this.pool.query<ProjectEnvironment>(PLACES, [settled, this.mostUncounted]);
    await eachApart(places, (place) => this.countTo(place, settled, signal), signal);
  }

  private async countNoted(signal?: AbortSignal): Promise<void> {
    const { rows: noted } = await this.pool.query<ProjectEnvironment & { received: Date }>(NOTED);
    await eachApart(noted, ({ received, ...place }) => this.countAnew(place, received), signal);
  }

  /** Deletes the hours of events that are about to be deleted for their age. */
  async forget(before: Date, projectId: string | null = null): Promise<void> {
    for (const table of COUNTS)
      await this.pool.query(
        `delete from ${table} where received < hour_of($1) and ($2::uuid is null or project_id = $2)`,
        [before, projectId],
      );
    await this.countAgain(before, projectId);
    await this.pool.query(
      'delete from event_hour_note where received < hour_of($1) and ($2::uuid is null or project_id = $2)',
      [before, projectId],
    );
  }

  /** Requests a recount of the hour of an instant before which events are deleted. */
  async countAgain(instant: Date, projectId: string | null): Promise<void> {
    await this.pool.query(
      `insert into event_hour_note (project_id, environment, received)
       select project_id, environment, hour_of($1) from event_hours
        where counted_to > hour_of($1) and ($2::uuid is null or project_id = $2)`,
      [instant, projectId],
    );
  }

  /**
   * The end of the last minute that nobody adds to without a note. A writer takes a transaction id, looks at the clock and commits; anyone
   * who looked before the minute had settled has an id below the fence, so all of them are done once every id below it is. Null while one
   * takes too long.
   */
  private async settled(): Promise<Date | null> {
    const { rows } = await this.pool.query<{ settled: Date }>('select settled_minute() as settled');
    const { rows: fences } = await this.pool.query<{ fence: string }>('select pg_current_xact_id()::text as fence');
    for (const end = Date.now() + this.patienceMs; Date.now() < end; await sleep(FENCE_POLL_MS)) {
      const { rows: passed } = await this.pool.query(
        'select where pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8',
        [fences[0]?.fence],
      );
      if (passed.length > 0) return rows[0]?.settled ?? null;
    }
    return null;
  }

  private async countTo(
    { projectId, environment }: ProjectEnvironment,
    settled: Date,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let isDone = false; !isDone; ) {
      signal?.throwIfAborted();
      isDone = await inTransaction(this.pool, async (client) => {
        const { rows } = await client.query<Counted>(BEGIN, [projectId, environment]);
        const from = rows[0]?.countedTo;
        if (!from || from >= settled) return true;
        const to = new Date(Math.min(from.getTime() + SLICE_HOURS * HOUR_MS, settled.getTime()));
        await client.query(COUNT, [projectId, environment, from, to]);
        await client.query(`update event_hours set counted_to = $3 where ${OF_PLACE}`, [projectId, environment, to]);
        return to >= settled;
      });
    }
  }

  /** The notes are deleted first: one that is written in the meantime stays, so that whatever this count misses is counted again. */
  private async countAnew({ projectId, environment }: ProjectEnvironment, received: Date): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<Counted>(COUNTED_TO, [projectId, environment]);
      const end = Math.min(received.getTime() + HOUR_MS, rows[0]?.countedTo.getTime() ?? 0);
      const hour = [projectId, environment, received];
      for (const table of ['event_hour_note', ...COUNTS])
        await client.query(`delete from ${table} where ${OF_PLACE} and received = $3`, hour);
      await client.query(COUNT, [...hour, new Date(end)]);
    });
  }
}
