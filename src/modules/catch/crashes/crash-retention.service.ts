import type { Pool } from 'pg';
import { eachApart } from '../../../kernel/database/each-apart.js';
import type { Logger } from '../../../kernel/logger.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { removeObjects } from '../../../storage/objects/remove-objects.js';
import { retentionDaysOf } from '../../quotas/retention.js';

/** Maximum rows deleted per statement, to keep locks and transactions short. */
const SLICE = 2_000;
/** Issues and sessions are left when a run is interrupted, or when a whole month of events is dropped. */
const TABLES = ['crash_event_seen', 'crash_profile', 'crash_issue', 'crashed_session'];

/** Deletes crash events, profiles and issues that are older than their project's plan keeps them. */
export class CrashRetentionService {
  constructor(
    private readonly pool: Pool,
    private readonly objects: ObjectStore,
    private readonly logger: Logger,
  ) {}

  /**
   * Works slice by slice; finished slices stay done when it is interrupted. A failure in one project doesn't hold up the others, and is
   * thrown after they are done.
   */
  async deleteExpired(now: Date, signal?: AbortSignal): Promise<void> {
    const days = await retentionDaysOf(this.pool, await this.projects());
    await eachApart(
      days,
      ([projectId, kept]) => this.deleteBefore(projectId, new Date(now.getTime() - kept * DAY_MS), signal),
      signal,
    );
  }

  private async deleteBefore(projectId: string, before: Date, signal?: AbortSignal): Promise<void> {
    for (const step of [this.deleteEvents, this.deleteSessions, this.deleteProfiles, this.deleteIssues]) {
      for (let deleted = SLICE; deleted === SLICE; ) {
        signal?.throwIfAborted();
        deleted = await step.call(this, projectId, before);
      }
    }
  }

  /** Projects with anything of these: skips through each index from project to project. */
  private async projects(): Promise<string[]> {
    const found = new Set<string>();
    for (const table of TABLES) {
      const { rows } = await this.pool.query<{ id: string }>(
        `with recursive known as (
           (select project_id as id from ${table} order by project_id limit 1)
           union all
           select (select project_id from ${table} where project_id > known.id order by project_id limit 1)
             from known where known.id is not null
         )
         select id from known where id is not null`,
      );
      for (const { id } of rows) found.add(id);
    }
    return [...found];
  }

  private async deleteEvents(projectId: string, before: Date): Promise<number> {
    const { rows } = await this.pool.query<{ events: number }>(
      `with gone as (
         delete from crash_event where project_id = $1 and received_at < $2 and (event_id, received_at) in (
           select event_id, received_at from crash_event
            where project_id = $1 and environment in ('live', 'test') and received_at < $2 limit $3)
         returning event_id
       ), forgotten as (
         delete from crash_event_seen where project_id = $1 and event_id in (select event_id from gone)
       )
       select count(*)::int as events from gone`,
      [projectId, before, SLICE],
    );
    return rows[0]?.events ?? 0;
  }

  private async deleteSessions(projectId: string, before: Date): Promise<number> {
    const { rowCount } = await this.pool.query(
      `delete from crashed_session where (project_id, environment, started_at, session_id) in (
         select project_id, environment, started_at, session_id from crashed_session
          where project_id = $1 and environment in ('live', 'test') and started_at < $2 limit $3)`,
      [projectId, before, SLICE],
    );
    return rowCount ?? 0;
  }

  private async deleteProfiles(projectId: string, before: Date): Promise<number> {
    const { rows } = await this.pool.query<{ storage_path: string }>(
      `delete from crash_profile where id in (
         select id from crash_profile where project_id = $1 and received_at < $2 limit $3) returning storage_path`,
      [projectId, before, SLICE],
    );
    const paths = rows.map(({ storage_path: path }) => path);
    await removeObjects(this.objects, paths, this.logger);
    return rows.length;
  }

  /** An issue was last seen with its newest event, so none of its events is left. */
  private async deleteIssues(projectId: string, before: Date): Promise<number> {
    const { rows } = await this.pool.query<{ issues: number }>(
      `with gone as (
         delete from crash_issue where id in (
           select id from crash_issue
            where project_id = $1 and environment in ('live', 'test') and last_seen_at < $2 limit $3) returning id
       ), forgotten as (
         delete from alert_firing where issue_id in (select id from gone)
       )
       select count(*)::int as issues from gone`,
      [projectId, before, SLICE],
    );
    return rows[0]?.issues ?? 0;
  }
}
