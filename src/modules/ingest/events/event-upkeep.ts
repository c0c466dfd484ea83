import type { Pool } from 'pg';
import { eachApart } from '../../../kernel/database/each-apart.js';
import { DAY_MS, HOUR_MS } from '../../../kernel/values/durations.js';
import { erasureJson } from '../../../storage/analytics/analytics-notes.js';
import { retentionDaysOf } from '../../quotas/retention.js';
import type { EventHours } from '../hours/event-hours.js';
import { EVENT_DATASET } from './event-dataset.js';
import {
  dropEventPartitions,
  ensureEventPartitions,
  monthsBeingDropped,
  summarizeEventIndex,
} from './event-partitions.js';

/** Maximum rows deleted per statement, to keep locks and transactions short. */
const SLICE = 20_000;
/** Longer than the promised 24 hours, so that a row isn't missed while it expires. */
const REMEMBERED_MS = 25 * HOUR_MS;
/** Four times as long as anyone relies on it. */
const PERSON_CHANGE_MS = 2 * HOUR_MS;

/** Events of a project that its plan doesn't keep, in months that another plan keeps: other months are dropped whole. */
interface Expired {
  projectId: string;
  from: Date;
  before: Date;
}

const EXPIRED = `select project_id, environment, id from event
  where project_id = $1 and environment in ('live', 'test') and id >= event_id_floor($2) and id < event_id_floor($3)`;

const monthOf = (instant: Date): Date => new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1));

/** Scheduled maintenance of ingested data: partitions come and go, events live as long as their project's plan says. */
export class EventUpkeep {
  constructor(
    private readonly pool: Pool,
    private readonly hours: EventHours,
  ) {}

  /**
   * Creates upcoming partitions, drops months that no plan keeps, and deletes from the others what each project's plan doesn't keep. A
   * failure in one project doesn't hold up the others, and is thrown after they are done.
   */
  async keepPartitions(now: Date, signal?: AbortSignal): Promise<void> {
    await ensureEventPartitions(this.pool, now);
    const projects = await this.projects();
    if (projects.length === 0) return;
    const days = await retentionDaysOf(this.pool, projects);
    const ago = (kept: number) => new Date(now.getTime() - kept * DAY_MS);
    const first = monthOf(ago(Math.max(...days.values())));
    const expiries = [...days].map(
      ([projectId, kept]) =>
        () =>
          this.expire({ projectId, from: first, before: ago(kept) }, signal),
    );
    await eachApart([() => this.dropMonths(first), ...expiries], (expiry) => expiry(), signal);
  }

  /** Deletes keys and insert ids after their 24 hours and old records of changed facts, and lets the index cover new events. */
  async forget(now: Date): Promise<void> {
    const before = new Date(now.getTime() - REMEMBERED_MS);
    await this.pool.query('delete from ingest_request_key where used_at < $1', [before]);
    await this.pool.query('delete from ingest_insert_id where seen_at < $1', [before]);
    const changedBefore = new Date(now.getTime() - PERSON_CHANGE_MS);
    await this.pool.query('delete from person_change where changed_at < $1', [changedBefore]);
    await summarizeEventIndex(this.pool);
  }

  /** Projects with events, including those whose months a plan may keep from being dropped. */
  private async projects(): Promise<string[]> {
    const found = new Set<string>();
    for (const table of ['event', ...(await monthsBeingDropped(this.pool))])
      for (const id of await this.projectsIn(table)) found.add(id);
    return [...found];
  }

  /** Skips through the index from project to project. */
  private async projectsIn(table: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      `with recursive known as (
         (select project_id as id from ${table} order by project_id limit 1)
         union all
         select (select project_id from ${table} where project_id > known.id order by project_id limit 1) from known where known.id is not null
       )
       select id from known where id is not null`,
    );
    return rows.map(({ id }) => id);
  }

  /** Drops the months before the start of one. */
  private async dropMonths(before: Date): Promise<void> {
    await this.hours.forget(before);
    await dropEventPartitions(this.pool, before);
    await this.noteExpiry({ before });
  }

  /** The analytics store drops the same events. */
  private async noteExpiry(expired: { projectId?: string; before: Date }): Promise<void> {
    const erasure = erasureJson({ dataset: EVENT_DATASET, ...expired });
    await this.pool.query('select note_analytics_erasure($1::jsonb)', [erasure]);
  }

  private async expire(expired: Expired, signal?: AbortSignal): Promise<void> {
    const { projectId, from, before } = expired;
    const { rowCount } = await this.pool.query(`${EXPIRED} limit 1`, [projectId, from, before]);
    if (rowCount === 0) return;
    // An interrupted run may leave nothing that tells the next one.
    await this.noteExpiry({ projectId, before });
    await this.hours.forget(before, projectId);
    await this.deleteExpired(expired, signal);
    // It may have been counted in the meantime.
    await this.hours.countAgain(before, projectId);
  }

  private async deleteExpired({ projectId, from, before }: Expired, signal?: AbortSignal): Promise<void> {
    for (let deleted = SLICE; deleted === SLICE; ) {
      signal?.throwIfAborted();
      const { rowCount } = await this.pool.query(
        `delete from event where (project_id, environment, id) in (${EXPIRED} limit $4)
          and project_id = $1 and id >= event_id_floor($2) and id < event_id_floor($3)`,
        [projectId, from, before, SLICE],
      );
      deleted = rowCount ?? 0;
    }
  }
}
