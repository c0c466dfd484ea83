import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import type { PendingEvent } from './crash-events.sql.js';
import { CrashIssue } from './crash-issue.entity.js';
import type { Grouping } from './fingerprint.js';

/** What counting an event did to its issue. */
export interface IssueChange {
  issueId: string;
  title: string;
  created: boolean;
  regressed: boolean;
}

export interface CrashProject {
  id: string;
  organizationId: string;
}

interface IssueRow {
  id: string;
  status: string;
  resolved_at: string | null;
  created: boolean;
}

/**
 * Counts an event in the issue of its fingerprint, which is made when there is none, and takes it out of the issue it was in
 * before its symbols were known. Emits `catch.issue.created` and `catch.issue.regressed`.
 */
export async function countInIssue(
  ctx: Context,
  events: EventLog,
  project: CrashProject,
  environment: 'live' | 'test',
  event: PendingEvent,
  grouping: Grouping,
  title: string,
): Promise<IssueChange> {
  if (event.issue_id !== null) {
    const same = await ctx.em.findOne(CrashIssue, { id: event.issue_id, fingerprint: grouping.fingerprint });
    if (same) return { issueId: same.id, title: same.title, created: false, regressed: false };
    await ctx.em.execute('update crash_issue set event_count = event_count - 1 where id = ?', [event.issue_id]);
    await ctx.em.execute(`delete from crash_issue where id = ? and event_count <= 0 and status = 'open'`, [
      event.issue_id,
    ]);
  }
  const [row] = await ctx.em.execute<IssueRow[]>(
    `insert into crash_issue as i (id, project_id, environment, fingerprint, title, culprit, platform, level, status,
       event_count, first_seen_at, last_seen_at, first_release, last_release)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'open', 1, ?, ?, ?, ?)
     on conflict (project_id, environment, fingerprint) do update set event_count = i.event_count + 1,
       first_seen_at = least(i.first_seen_at, excluded.first_seen_at),
       last_release = case when excluded.last_seen_at >= i.last_seen_at then excluded.last_release else i.last_release end,
       last_seen_at = greatest(i.last_seen_at, excluded.last_seen_at)
     returning id, status, resolved_at, (xmax = 0) as created`,
    [
      newPrefixedId('iss'),
      project.id,
      environment,
      grouping.fingerprint,
      title,
      grouping.culprit,
      event.platform,
      event.level,
      event.received_at,
      event.received_at,
      event.release,
      event.release,
    ],
  );
  if (row === undefined) throw new Error('an upsert returned no row');
  const regressed =
    row.status === 'resolved' && row.resolved_at !== null && new Date(event.received_at) > new Date(row.resolved_at);
  if (regressed) {
    await ctx.em.execute(`update crash_issue set status = 'open', resolved_at = null where id = ?`, [row.id]);
  }
  if (row.created || regressed) {
    events.emit(ctx, row.created ? 'catch.issue.created' : 'catch.issue.regressed', {
      organizationId: project.organizationId,
      projectId: project.id,
      environment,
      object: { type: 'crash_issue', id: row.id },
      data: { issue_id: row.id, title, release: event.release },
    });
  }
  return { issueId: row.id, title, created: row.created, regressed };
}
