import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isDatabaseUnavailable } from '../../../kernel/database/database-failures.js';
import { inTransaction } from '../../../kernel/database/pool-transaction.js';
import { LONGEST_KEY_BYTES } from '../../../kernel/text.js';
import { KNOWN_PLACES } from './known-places.sql.js';
import { IS_SESSION, SESSION_RELEASE } from './started-sessions.js';

/** Hours that one transaction counts at most. */
const SLICE_HOURS = 6;
/**
 * Kinds of rows (name and hour of occurrence) in one hour above which it is not worth a table and goes on being counted when somebody asks, as
 * does an hour with a name or a release too long for the table's keys.
 */
const MOST_KINDS = 5_000;
const FENCE_POLL_MS = 250;
const COUNTS = ['event_hour', 'session_hour'];

interface Place {
  projectId: string;
  environment: string;
}

const PLACES = `
${KNOWN_PLACES}
select project_id as "projectId", environment from known`;

/** Where an environment's uncounted hours begin: behind the counted ones, or at its first event. */
const BEGIN = `
insert into event_hours (project_id, environment, counted_to)
select $1, $2, event_id_hour(id) from event where project_id = $1 and environment = $2 order by id limit 1
on conflict (project_id, environment) do update set counted_to = event_hours.counted_to
returning counted_to as "countedTo"`;

const COUNT = `
with counted as (
  select event_name, event_id_hour(id) as received, hour_of(occurred_at) as occurred, count(*) as count,
         bit_or(1::bigint << event_id_minute(id)) as minutes
    from event where project_id = $1 and environment = $2 and id >= event_id_floor($3) and id < event_id_floor($4)
   group by 1, 2, 3
), begun as (
  select event_id_hour(id) as received, hour_of(occurred_at) as occurred, ${SESSION_RELEASE} as release, count(*) as count
    from event where project_id = $1 and environment = $2 and id >= event_id_floor($3) and id < event_id_floor($4) and ${IS_SESSION}
   group by 1, 2, 3
), manifold as (
  insert into event_hour_note (project_id, environment, received, is_manifold)
  select $1, $2, received, true
    from (select received, octet_length(event_name) as bytes from counted union all select received, octet_length(release) from begun) kinds
   group by received having count(*) > ${MOST_KINDS} or max(bytes) > ${LONGEST_KEY_BYTES}
  returning received
), sessions as (
  insert into session_hour (project_id, environment, received, occurred, release, count)
  select $1, $2, received, occurred, release, count from begun where received not in (select received from manifold)
)
insert into event_hour (project_id, environment, event_name, received, occurred, count, minutes)
select $1, $2, event_name, received, occurred, count, minutes from counted where received not in (select received from manifold)`;

const NOTED = `
select distinct n.project_id as "projectId", n.environment, n.received
  from event_hour_note n join event_hours h on h.project_id = n.project_id and h.environment = n.environment
 where not n.is_manifold and n.received < h.counted_to`;

/**
 * Keeps the table of counts by the hour, which dashboards read instead of the events. An hour is counted once nobody can add to it without
 * a note; an hour with a note is counted anew, and until then from its events. The counts are those of the events at every moment.
 */
export class EventHours {
  /** @param patienceMs how long a run waits for writers who began before it */
  constructor(
    private readonly pool: Pool,
    private readonly patienceMs = 60_000,
  ) {}

  /**
   * Counts what hours have ended since the last run, and those that changed afterwards. What fails for one environment keeps no other waiting,
   * and the first failure is thrown when the others are through.
   */
  async count(signal?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    const apart = async (work: Promise<void>): Promise<void> => {
      try {
        await work;
      } catch (error) {
        if (signal?.aborted || isDatabaseUnavailable(error)) throw error;
        failures.push(error);
      }
    };
    const ended = await this.endedHours();
    const { rows: places } = await this.pool.query<Place>(PLACES);
    for (const place of places) {
      signal?.throwIfAborted();
      if (ended) await apart(this.countTo(place, ended, signal));
    }
    const { rows: noted } = await this.pool.query<Place & { received: Date }>(NOTED);
    for (const { received, ...place } of noted) {
      signal?.throwIfAborted();
      await apart(this.countAnew(place, received));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Forgets the hours of events that are about to be deleted for their age. */
  async forget(before: Date, projectId: string | null = null): Promise<void> {
    for (const table of COUNTS) {
      await this.pool.query(
        `delete from ${table} where received < hour_of($1) and ($2::uuid is null or project_id = $2)`,
        [before, projectId],
      );
    }
    await this.pool.query(
      `insert into event_hour_note (project_id, environment, received)
       select project_id, environment, hour_of($1) from event_hours
        where counted_to > hour_of($1) and ($2::uuid is null or project_id = $2)`,
      [before, projectId],
    );
    await this.pool.query(
      'delete from event_hour_note where received < hour_of($1) and ($2::uuid is null or project_id = $2)',
      [before, projectId],
    );
  }

  /**
   * The end of the last hour that nobody adds to without a note. A writer takes a transaction id, looks at the clock and commits; whoever
   * looked during that hour has an id below the fence, so all of them are done when every id below it is. Null while one takes too long.
   */
  private async endedHours(): Promise<Date | null> {
    const { rows } = await this.pool.query<{ ended: Date }>('select hour_of(clock_timestamp()) as ended');
    const { rows: fences } = await this.pool.query<{ fence: string }>('select pg_current_xact_id()::text as fence');
    for (const end = Date.now() + this.patienceMs; Date.now() < end; await sleep(FENCE_POLL_MS)) {
      const { rows: passed } = await this.pool.query(
        'select where pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8',
        [fences[0]?.fence],
      );
      if (passed.length > 0) return rows[0]?.ended ?? null;
    }
    return null;
  }

  private async countTo({ projectId, environment }: Place, ended: Date, signal?: AbortSignal): Promise<void> {
    for (let isDone = false; !isDone; ) {
      signal?.throwIfAborted();
      isDone = await inTransaction(this.pool, async (client) => {
        const { rows } = await client.query<{ countedTo: Date }>(BEGIN, [projectId, environment]);
        const from = rows[0]?.countedTo;
        if (!from || from >= ended) return true;
        const to = new Date(Math.min(from.getTime() + SLICE_HOURS * 3_600_000, ended.getTime()));
        await client.query(COUNT, [projectId, environment, from, to]);
        await client.query('update event_hours set counted_to = $3 where project_id = $1 and environment = $2', [
          projectId,
          environment,
          to,
        ]);
        return to >= ended;
      });
    }
  }

  /** The notes go first: one that is written meanwhile stays, so that what this count misses is counted once more. */
  private async countAnew({ projectId, environment }: Place, received: Date): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      const place = [projectId, environment, received];
      const ofHour = 'project_id = $1 and environment = $2 and received = $3';
      await client.query(BEGIN, [projectId, environment]);
      await client.query(`delete from event_hour_note where ${ofHour}`, place);
      for (const table of COUNTS) await client.query(`delete from ${table} where ${ofHour}`, place);
      await client.query(COUNT, [...place, new Date(received.getTime() + 3_600_000)]);
    });
  }
}
