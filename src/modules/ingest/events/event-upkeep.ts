import type { Pool } from 'pg';
import { eachApart } from '../../../kernel/database/each-apart.js';
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

const DAY_MS = 86_400_000;
/** Rows that one statement deletes at most, so that no lock and no transaction becomes long. */
const SLICE = 20_000;
/** Longer than the 24 hours that are promised, so that an expiring row is never missed. */
const REMEMBERED_MS = 25 * 3_600_000;
/** Four times as long as anybody relies on it. */
const PERSON_CHANGE_MS = 2 * 3_600_000;

/** Events of a project that its plan does not keep, in months that another plan keeps: the others are dropped whole. */
interface Expired {
  projectId: string;
  from: Date;
  before: Date;
}

const EXPIRED = `select project_id, environment, id from event
  where project_id = $1 and environment in ('live', 'test') and id >= event_id_floor($2) and id < event_id_floor($3)`;

const monthOf = (instant: Date): Date => new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1));

/** Scheduled care of what ingestion stores: partitions come and go, events live as long as their project's plan says. */
export class EventUpkeep {
  constructor(
    private readonly pool: Pool,
    private readonly hours: EventHours,
  ) {}

  /**
   * Makes the partitions to come, drops months that no plan keeps, and deletes from the others what each project's plan does not keep. What fails
   * for one project keeps no other waiting, and is thrown when the others are through.
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

  /** Forgets keys and insert ids after their 24 hours and whose facts changed long ago, and lets the index cover new events. */
  async forget(now: Date): Promise<void> {
    const before = new Date(now.getTime() - REMEMBERED_MS);
    await this.pool.query('delete from ingest_request_key where used_at < $1', [before]);
    await this.pool.query('delete from ingest_insert_id where seen_at < $1', [before]);
    const changedBefore = new Date(now.getTime() - PERSON_CHANGE_MS);
    await this.pool.query('delete from person_change where changed_at < $1', [changedBefore]);
    await summarizeEventIndex(this.pool);
  }

  /** Projects that have events, those included that a plan may keep from being dropped. */
  private async projects(): Promise<string[]> {
    const found = new Set<string>();
    for (const table of ['event', ...(await monthsBeingDropped(this.pool))])
      for (const id of await this.projectsIn(table)) found.add(id);
    return [...found];
  }

  /** A walk over the index from project to project. */
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

  /** Drops the months before the beginning of one. */
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
    // A run that is cut off afterwards may leave nothing by which the next one would know.
    await this.noteExpiry({ projectId, before });
    await this.hours.forget(before, projectId);
    await this.deleteExpired(expired, signal);
    // It may have been counted meanwhile.
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
