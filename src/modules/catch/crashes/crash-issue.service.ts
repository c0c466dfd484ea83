import type { EventLog } from '../../../events/event-log.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import type { Environment, ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { setFields } from '../../../kernel/database/set-fields.js';
import { isUuid } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { hasEmailIn } from '../../../kernel/values/email-redaction.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { projectsWhere } from '../../access/project-rows.js';
import type { AlertFiring } from '../alerts/alert-firing.entity.js';
import { ISSUE_FIRINGS } from '../alerts/alert-lists.js';
import { catchFailure } from '../catch.errors.js';
import type { ReprocessCrashEventsInput } from '../catch.inputs.js';
import type { MissingSymbols } from '../catch.results.js';
import type { CrashIssue } from '../issues/crash-issue.entity.js';
import { ISSUE_ROWS } from '../issues/issue-rows.js';
import { aboutIssue, NOT_IGNORED } from '../issues/issue-triage.service.js';
import { mergedIssuesLoader } from '../issues/merged-issues.js';
import { reprocessOnRequest } from '../symbols/pending-events.sql.js';
import { CrashEvent } from './crash-event.entity.js';
import {
  CRASH_EVENTS,
  CRASH_ISSUES,
  type CrashEventListArgs,
  type CrashIssueListArgs,
  ISSUE_EVENTS,
  type IssueEventListArgs,
  RELEASE_EVENTS,
} from './crash-lists.js';
import { CrashSettings } from './crash-settings.entity.js';
import { findMissingSymbols } from './missing-symbols.sql.js';

export class CrashIssueService {
  constructor(
    private readonly events: EventLog,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Issues of an environment, most recently seen first. Searching needs the Editor role: results reveal as much as the fields that are
   * redacted below it.
   */
  list(operation: OperationContext, projectId: string, args: CrashIssueListArgs): Promise<Page<CrashIssue>> {
    const action = args.search ? 'catch.crash.search' : 'catch.crash.view';
    const { environment, status } = args;
    const where = { environment, mergedIntoId: null };
    const found = status ? { status } : null;
    return listOfOwner(operation, action, CRASH_ISSUES, projectId, args, where, found);
  }

  async get(ctx: Context, id: string): Promise<CrashIssue> {
    return ISSUE_ROWS.get(ctx, 'catch.crash.view', id);
  }

  /** Marks an issue as resolved; the next event reopens it. Repeating it changes nothing. */
  async resolve(ctx: Context, id: string): Promise<CrashIssue> {
    const { row: issue, project } = await ISSUE_ROWS.locked(ctx, 'catch.issue.resolve', id);
    if (issue.status === 'resolved') return issue;
    setFields(issue, { status: 'resolved', resolvedAt: ctx.now(), ...NOT_IGNORED });
    this.events.emit(ctx, 'catch.issue.resolved', {
      ...aboutIssue(project, issue),
      before: { status: 'open' },
      after: { status: 'resolved' },
    });
    return issue;
  }

  async eventsOf(operation: OperationContext, projectId: string, args: CrashEventListArgs): Promise<Page<CrashEvent>> {
    const { environment, issueId } = args;
    const where = {
      environment,
      ...(issueId ? { issueId } : {}),
      ...(await this.ofRelease(operation, projectId, args)),
    };
    return listOfOwner(operation, 'catch.crash.view', CRASH_EVENTS, projectId, args, where);
  }

  /** Crash events of an issue and of those merged into it, newest first. */
  async eventsOfIssue(
    operation: OperationContext,
    { id, projectId, environment }: CrashIssue,
    args: IssueEventListArgs,
  ): Promise<Page<CrashEvent>> {
    const where = await this.ofRelease(operation, projectId, args);
    const parts = await mergedIssuesLoader(operation).load(id);
    if (parts.length === 0)
      return listOfOwner(operation, 'catch.crash.view', ISSUE_EVENTS, { id, projectId }, args, where);
    const issueId = { $in: [id, ...parts.map((part) => part.id)] };
    return listOfOwner(operation, 'catch.crash.view', CRASH_EVENTS, projectId, args, {
      ...where,
      environment,
      issueId,
    });
  }

  /** Crash events whose release is a given version, in an environment of a project, newest first. */
  eventsOfRelease(
    operation: OperationContext,
    { projectId, environment, version }: ProjectEnvironment & { version: string },
    args: ListArgs,
  ): Promise<Page<CrashEvent>> {
    const owner = { id: [projectId, environment, version], projectId };
    return listOfOwner(operation, 'catch.crash.view', RELEASE_EVENTS, owner, args);
  }

  firingsFor(operation: OperationContext, issue: CrashIssue, args: ListArgs): Promise<Page<AlertFiring>> {
    return listOfOwner(operation, 'catch.alert_rule.view', ISSUE_FIRINGS, issue, args);
  }

  /** An event of a project, or of any that the caller sees. Fails with `event_not_found`. */
  async event(ctx: Context, { projectId, id }: { projectId?: string | null; id: string }): Promise<CrashEvent> {
    const projectIds =
      typeof projectId === 'string'
        ? [(await authorize(ctx, 'catch.crash.view', projectId)).id]
        : await projectsWhere(ctx, 'catch.crash.view');
    const [event] = isUuid(id)
      ? await ctx.em.find(
          CrashEvent,
          { projectId: { $in: projectIds }, id },
          { orderBy: { receivedAt: 'desc' }, limit: 1 },
        )
      : [];
    if (!event) throw catchFailure('event_not_found');
    return event;
  }

  /** Filtering by a release that is an email address needs the Editor role: a filter reveals as much as the field. */
  private async ofRelease(
    { current: ctx }: OperationContext,
    projectId: string,
    { release }: IssueEventListArgs,
  ): Promise<{ release?: string }> {
    if (hasEmailIn(release)) await authorize(ctx, 'catch.crash.search', projectId);
    return release ? { release } : {};
  }

  /** Missing symbols that recent events need: the user's own first, then the most needed. */
  async missingSymbols(ctx: Context, projectId: string, environment: Environment): Promise<MissingSymbols[]> {
    const project = await authorize(ctx, 'catch.crash.view', projectId);
    const place = { projectId: project.id, environment };
    const settings = await ctx.em.findOne(CrashSettings, place);
    return findMissingSymbols(ctx.em, place, settings?.ignoresSystemImages ?? false);
  }

  /**
   * Symbolicates stored events of any age again. Returns how many. Fails with `issue_not_found` also for an issue of another project or
   * environment than the input names.
   */
  async reprocess(ctx: Context, input: ReprocessCrashEventsInput): Promise<number> {
    const project = await authorize(ctx, 'catch.crash.reprocess', input.projectId);
    const place = { projectId: project.id, environment: input.environment };
    if (input.issueId != null) {
      const issue = await ISSUE_ROWS.get(ctx, 'catch.crash.reprocess', input.issueId);
      const isHere = issue.projectId === place.projectId && issue.environment === place.environment;
      if (!isHere) throw catchFailure('issue_not_found');
    }
    const count = await reprocessOnRequest(ctx.em, place, {
      since: input.since ?? new Date(0),
      until: input.until ?? ctx.now(),
      release: input.release ?? null,
      issueId: input.issueId ?? null,
    });
    await this.jobs.enqueue(ctx, 'catch.symbolicate_events', place);
    this.events.emit(ctx, 'catch.events.reprocessed', {
      project,
      environment: place.environment,
      object: { type: 'project', id: project.id },
      data: { count },
    });
    return count;
  }
}
