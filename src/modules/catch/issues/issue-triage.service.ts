import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { setFields } from '../../../kernel/database/set-fields.js';
import { isPrefixedId, isUuid } from '../../../kernel/ids.js';
import { accessFailure } from '../../access/access.errors.js';
import { Membership } from '../../access/people/membership.entity.js';
import type { Project } from '../../access/projects/project.entity.js';
import { catchFailure } from '../catch.errors.js';
import { lockSymbols } from '../symbols/pending-events.sql.js';
import { CrashIssue } from './crash-issue.entity.js';
import { ISSUE_ROWS } from './issue-rows.js';
import { joinIssues, partIssue, uncountPart } from './merge-issues.sql.js';

const MOST_EVENTS = 1_000_000;

/** Manual triage of crash issues: assigning, ignoring, and merging. */
export class IssueTriageService {
  constructor(private readonly events: EventLog) {}

  /** Reopens a resolved or ignored issue. Repeating it changes nothing. Fails with `issue_not_found`. */
  async reopen(ctx: Context, id: string): Promise<CrashIssue> {
    const { row: issue, project } = await ISSUE_ROWS.locked(ctx, 'catch.issue.triage', id);
    if (issue.status === 'open' && !issue.ignored) return issue;
    const before = stateOf(issue);
    setFields(issue, { status: 'open', resolvedAt: null, ...NOT_IGNORED });
    this.events.emit(ctx, 'catch.issue.reopened', {
      ...aboutIssue(project, issue),
      before,
      after: stateOf(issue),
    });
    return issue;
  }

  /**
   * Ignores an issue permanently, until a time, or until a number of further events. An event after that reopens it. Fails with
   * `issue_not_found`, `bad_ignore`.
   */
  async ignore(
    ctx: Context,
    { id, until = null, events = null }: { id: string; until?: Date | null; events?: number | null },
  ): Promise<CrashIssue> {
    const { row: issue, project } = await ISSUE_ROWS.locked(ctx, 'catch.issue.triage', id);
    const bad = (field: 'until' | 'events', problem: string) => catchFailure('bad_ignore', { field, problem });
    if (until !== null && until <= ctx.now()) throw bad('until', 'the time has already passed');
    if (events !== null && (events < 1 || events > MOST_EVENTS))
      throw bad('events', `the number of further events must be 1 to ${MOST_EVENTS}`);
    const before = stateOf(issue);
    const untilCount = events === null ? null : Number(issue.eventCount) + events;
    setFields(issue, {
      status: 'open',
      resolvedAt: null,
      ignored: true,
      ignoredAt: ctx.now(),
      ignoredUntil: until,
      ignoredUntilCount: untilCount === null ? null : String(untilCount),
    });
    this.events.emit(ctx, 'catch.issue.ignored', {
      ...aboutIssue(project, issue),
      data: { ...dataOf(issue), until: until?.toISOString() ?? null, until_count: untilCount },
      before,
      after: stateOf(issue),
    });
    return issue;
  }

  /** Assigns an issue; null for nobody. Fails with `issue_not_found`, `member_not_found`. */
  async assign(ctx: Context, id: string, userId: string | null): Promise<CrashIssue> {
    const { row: issue, project } = await ISSUE_ROWS.locked(ctx, 'catch.issue.triage', id);
    const assigneeId = userId === null ? null : await memberWith(ctx, project.organizationId, userId);
    if (assigneeId === issue.assigneeId) return issue;
    const before = { assignee_id: issue.assigneeId };
    issue.assigneeId = assigneeId;
    this.events.emit(ctx, 'catch.issue.assigned', {
      ...aboutIssue(project, issue),
      data: { ...dataOf(issue), assignee_id: assigneeId },
      before,
      after: { assignee_id: assigneeId },
    });
    return issue;
  }

  /**
   * Merges issues into another one of the same project and environment: lists leave them out, and the other counts their events, including
   * future ones. Fails with `issue_not_found`, `bad_merge`.
   */
  async merge(ctx: Context, intoId: string, ids: readonly string[]): Promise<CrashIssue> {
    const { row: issue, project } = await ISSUE_ROWS.visible(ctx, 'catch.issue.triage', intoId);
    if (ids.includes(intoId))
      throw catchFailure('bad_merge', { field: 'ids', problem: 'an issue cannot be merged into itself' });
    // Another merge may have happened before the lock was acquired.
    await lockSymbols(ctx.em, project.id);
    if (!(await ctx.em.refresh(issue))) throw catchFailure('issue_not_found');
    if (issue.mergedIntoId !== null)
      throw catchFailure('bad_merge', {
        field: 'intoId',
        problem: 'the issue to keep is already merged into another one',
      });
    const { projectId, environment } = issue;
    const wanted = [...new Set(ids)].filter((id) => isPrefixedId('iss', id));
    const parts = await ctx.em.find(CrashIssue, { id: { $in: wanted }, projectId, environment }, { refresh: true });
    if (parts.length < new Set(ids).size) throw catchFailure('issue_not_found');
    if (parts.some(({ mergedIntoId }) => mergedIntoId !== null))
      throw catchFailure('bad_merge', { field: 'ids', problem: 'one of them is already merged into another one' });
    await joinIssues(ctx.em, issue.id, wanted);
    for (const part of parts) this.emitMerge(ctx, 'catch.issue.merged', project, issue, part.id);
    return ctx.em.refreshOrFail(issue);
  }

  /** Splits a merged issue off again, with its events. Fails with `issue_not_found`, `issue_not_merged`. */
  async unmerge(ctx: Context, id: string): Promise<CrashIssue> {
    const { row: part, project } = await ISSUE_ROWS.visible(ctx, 'catch.issue.triage', id);
    await lockSymbols(ctx.em, project.id);
    await ctx.em.refreshOrFail(part);
    const whole = part.mergedIntoId === null ? null : await ctx.em.findOne(CrashIssue, { id: part.mergedIntoId });
    if (whole === null) throw catchFailure('issue_not_merged');
    await uncountPart(ctx.em, part.id);
    await partIssue(ctx.em, part.id);
    this.emitMerge(ctx, 'catch.issue.unmerged', project, whole, part.id);
    await ctx.em.refreshOrFail(whole);
    return ctx.em.refreshOrFail(part);
  }

  private emitMerge(
    ctx: Context,
    kind: 'catch.issue.merged' | 'catch.issue.unmerged',
    project: Project,
    issue: CrashIssue,
    partId: string,
  ): void {
    const [apart, joined] = [{ merged_into_id: null }, { merged_into_id: issue.id }];
    const [before, after] = kind === 'catch.issue.merged' ? [apart, joined] : [joined, apart];
    const data = { ...dataOf(issue), merged_issue_id: partId };
    this.events.emit(ctx, kind, { ...aboutIssue(project, issue), data, before, after });
  }
}

/** The id of a member of the organization, as it is stored. Fails with `member_not_found`. */
async function memberWith(ctx: Context, organizationId: string, userId: string): Promise<string> {
  const member = isUuid(userId) ? await ctx.em.findOne(Membership, { organizationId, user: userId }) : null;
  if (!member) throw accessFailure('member_not_found');
  return member.user.id;
}

/** The fields of an issue that isn't ignored. */
export const NOT_IGNORED = { ignored: false, ignoredAt: null, ignoredUntil: null, ignoredUntilCount: null } as const;

export const aboutIssue = (project: Project, issue: CrashIssue) => ({
  project,
  environment: issue.environment,
  object: { type: 'crash_issue' as const, id: issue.id },
  data: dataOf(issue),
});

const dataOf = ({ id, title, lastRelease }: CrashIssue) => ({ issue_id: id, title, release: lastRelease });

const stateOf = ({ status, ignored }: CrashIssue): object => ({ status, ignored });
