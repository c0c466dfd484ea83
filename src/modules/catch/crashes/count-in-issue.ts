import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import type { PendingEvent } from './crash-events.sql.js';
import { CrashIssue } from './crash-issue.entity.js';
import type { Grouping } from './fingerprint.js';

/** What counting an event did. */
export interface IssueChange {
  /** The issue of its fingerprint, which it names. */
  issueId: string;
  /** The issue that people see: the same, or the one that it was merged into. */
  shownId: string;
  title: string;
  created: boolean;
  regressed: boolean;
  /** Nobody wants to hear of it. */
  ignored: boolean;
}

export interface CrashProject {
  id: string;
  organizationId: string;
}

interface IssueRow {
  id: string;
  status: string;
  resolved_at: string | null;
  event_count: string;
  ignored: boolean;
  ignored_until: string | null;
  ignored_until_count: string | null;
  merged_into_id: string | null;
}

const STATE = 'id, status, resolved_at, event_count, ignored, ignored_until, ignored_until_count, merged_into_id';

/**
 * Counts an event in the issue of its fingerprint, which is made when there is none, and in the one that this was merged into; takes
 * it out of the issue it was in before its symbols were known. Emits `catch.issue.created`, `catch.issue.regressed` and, when it ends
 * the time for which the issue was ignored, `catch.issue.reopened`.
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
    if (same) {
      const { id, mergedIntoId, ignored } = same;
      return { issueId: id, shownId: mergedIntoId ?? id, title: same.title, created: false, regressed: false, ignored };
    }
    await uncount(ctx, event.issue_id);
  }
  const { created, ...own } = await countOwn(ctx, project, environment, event, grouping, title);
  const shown = own.merged_into_id === null ? own : await countMerged(ctx, own, event);
  const regressed =
    shown.status === 'resolved' &&
    shown.resolved_at !== null &&
    new Date(event.received_at) > new Date(shown.resolved_at);
  const returned = shown.ignored && endsIgnoring(shown, event);
  if (regressed || returned) await reopen(ctx, shown.id);
  const kind = created
    ? 'catch.issue.created'
    : regressed
      ? 'catch.issue.regressed'
      : returned
        ? 'catch.issue.reopened'
        : null;
  if (kind !== null) {
    events.emit(ctx, kind, {
      organizationId: project.organizationId,
      projectId: project.id,
      environment,
      object: { type: 'crash_issue', id: shown.id },
      data: { issue_id: shown.id, title, release: event.release },
    });
  }
  return { issueId: own.id, shownId: shown.id, title, created, regressed, ignored: shown.ignored && !returned };
}

async function uncount(ctx: Context, issueId: string): Promise<void> {
  await ctx.em.execute(
    `update crash_issue set event_count = event_count - 1
      where id = ? or id = (select merged_into_id from crash_issue where id = ?)`,
    [issueId, issueId],
  );
  await ctx.em.execute(
    `delete from crash_issue i where id = ? and event_count <= 0 and status = 'open'
        and not exists (select from crash_issue where merged_into_id = i.id)`,
    [issueId],
  );
}

async function countOwn(
  ctx: Context,
  project: CrashProject,
  environment: 'live' | 'test',
  event: PendingEvent,
  grouping: Grouping,
  title: string,
): Promise<IssueRow & { created: boolean }> {
  const [row] = await ctx.em.execute<(IssueRow & { created: boolean })[]>(
    `insert into crash_issue as i (id, project_id, environment, fingerprint, title, culprit, platform, level, status,
       event_count, first_seen_at, last_seen_at, first_release, last_release)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'open', 1, ?, ?, ?, ?)
     on conflict (project_id, environment, fingerprint) do update set event_count = i.event_count + 1,
       first_seen_at = least(i.first_seen_at, excluded.first_seen_at),
       last_release = case when excluded.last_seen_at >= i.last_seen_at then excluded.last_release else i.last_release end,
       last_seen_at = greatest(i.last_seen_at, excluded.last_seen_at)
     returning ${STATE}, (xmax = 0) as created`,
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
  return row;
}

/** Where the other is gone, the issue stands for itself again. */
async function countMerged(ctx: Context, own: IssueRow, event: PendingEvent): Promise<IssueRow> {
  const [whole] = await ctx.em.execute<IssueRow[]>(
    `update crash_issue set event_count = event_count + 1, first_seen_at = least(first_seen_at, ?),
       last_release = case when ? >= last_seen_at then ? else last_release end, last_seen_at = greatest(last_seen_at, ?)
      where id = ? returning ${STATE}`,
    [event.received_at, event.received_at, event.release, event.received_at, own.merged_into_id],
  );
  if (whole) return whole;
  await ctx.em.execute('update crash_issue set merged_into_id = null where id = ?', [own.id]);
  return own;
}

function endsIgnoring({ event_count, ignored_until, ignored_until_count }: IssueRow, event: PendingEvent): boolean {
  const isLate = ignored_until !== null && new Date(event.received_at) > new Date(ignored_until);
  return isLate || (ignored_until_count !== null && Number(event_count) >= Number(ignored_until_count));
}

async function reopen(ctx: Context, issueId: string): Promise<void> {
  await ctx.em.execute(
    `update crash_issue set status = 'open', resolved_at = null, ignored = false, ignored_at = null, ignored_until = null,
       ignored_until_count = null where id = ?`,
    [issueId],
  );
}
