import type { EventLog } from '../../../events/event-log.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { namesEmail } from '../../../kernel/email-redaction.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isPrefixedId, isUuid } from '../../../kernel/ids.js';
import {
  decodeCursor,
  encodeCursor,
  findPage,
  type Page,
  type PageArgs,
  pageOf,
  totalOf,
} from '../../../kernel/paging.js';
import { dashedUuid } from '../../../symbols/match-key.js';
import type { CrashFrame } from '../../../symbols/symbolication/crash-frame.js';
import { authorize, hasRole } from '../../access/guard.js';
import { catchFailure } from '../catch.errors.js';
import type { CrashEvent, MissingSymbols } from './crash-event.results.js';
import { reprocessOnRequest } from './crash-events.sql.js';
import { CrashIssue, type IssueStatus } from './crash-issue.entity.js';
import type { CrashPayload } from './crash-report.js';
import { reasonOf, shownStatus } from './event-status.js';

const MOST_COUNTED = 10_000;
const MISSING_DAYS = 30;
const MOST_MISSING = 200;

export interface IssueFilter {
  projectId: string;
  environment: Environment;
  status?: IssueStatus | null;
}

export interface EventFilter {
  projectId: string;
  environment: Environment;
  issueId?: string | null;
  release?: string | null;
}

export interface Reprocessing {
  projectId: string;
  environment: Environment;
  since?: Date | null;
  until?: Date | null;
  release?: string | null;
  issueId?: string | null;
}

/** Crash issues and their events, as the dashboard reads them. */
export class CrashIssueService {
  constructor(
    private readonly events: EventLog,
    private readonly jobs: JobQueue,
  ) {}

  /** Issues, the one seen last first. */
  async list(ctx: Context, filter: IssueFilter, page: PageArgs): Promise<Page<CrashIssue>> {
    const project = await authorize(ctx, 'catch.crash.view', filter.projectId);
    const { environment, status } = filter;
    const where = { projectId: project.id, environment, ...(status ? { status } : {}) };
    return findPage(ctx.em, CrashIssue, page, where, { lastSeenAt: 'desc', id: 'desc' });
  }

  async get(ctx: Context, id: string): Promise<CrashIssue> {
    const issue = await this.found(ctx, id);
    await authorize(ctx, 'catch.crash.view', issue.projectId, () => catchFailure('issue_not_found'));
    return issue;
  }

  /** Marks an issue as resolved; the next event reopens it. Repeating it changes nothing. */
  async resolve(ctx: Context, id: string): Promise<CrashIssue> {
    const issue = await this.found(ctx, id);
    const invisible = () => catchFailure('issue_not_found');
    const project = await authorize(ctx, 'catch.issue.resolve', issue.projectId, invisible);
    if (issue.status === 'resolved') return issue;
    issue.status = 'resolved';
    issue.resolvedAt = ctx.now();
    this.events.emit(ctx, 'catch.issue.resolved', {
      organizationId: project.organizationId,
      projectId: project.id,
      environment: issue.environment,
      object: { type: 'crash_issue', id: issue.id },
      data: { issue_id: issue.id, title: issue.title, release: issue.lastRelease },
      before: { status: 'open' },
      after: { status: 'resolved' },
    });
    return issue;
  }

  /** Crash events, newest first. Filtering by a release that is an e-mail address needs the Editor role: a filter tells as much as the field. */
  async eventsOf(ctx: Context, filter: EventFilter, page: PageArgs): Promise<Page<CrashEvent>> {
    const project = await authorize(ctx, 'catch.crash.view', filter.projectId);
    if (namesEmail(filter.release) && !(await hasRole(ctx, project.id, 'editor')))
      throw commonFailure('permission_denied');
    const [time, id] = page.after ? decodeCursor(page.after, 2) : [null, null];
    if (page.after && (!isUuid(id) || Number.isNaN(Date.parse(String(time))))) throw commonFailure('invalid_cursor');
    const rows = await ctx.em.execute<EventRow[]>(
      `select * from crash_event
        where project_id = ? and environment = ? and (?::text is null or issue_id = ?) and (?::text is null or release = ?)
          and (?::timestamptz is null or (received_at, event_id) < (?::timestamptz, ?::uuid))
        order by received_at desc, event_id desc limit ?`,
      [
        project.id,
        filter.environment,
        filter.issueId ?? null,
        filter.issueId ?? null,
        filter.release ?? null,
        filter.release ?? null,
        time ?? null,
        time ?? null,
        id ?? null,
        page.first + 1,
      ],
    );
    const cursor = (event: CrashEvent): string => encodeCursor([event.receivedAt.toISOString(), event.id]);
    const count = async () => {
      const [row] = await ctx.em.execute<{ count: string }[]>(
        `select count(*) from (
           select from crash_event where project_id = ? and environment = ? and (?::text is null or issue_id = ?) and (?::text is null or release = ?) limit ?
         ) e`,
        [
          project.id,
          filter.environment,
          filter.issueId ?? null,
          filter.issueId ?? null,
          filter.release ?? null,
          filter.release ?? null,
          MOST_COUNTED + 1,
        ],
      );
      return totalOf(Number(row?.count), MOST_COUNTED);
    };
    return pageOf(rows.map(presentEvent), page.first, cursor, count, page.after);
  }

  /** Which symbols recent events asked for in vain, the most wanted first. */
  async missingSymbols(ctx: Context, projectId: string, environment: Environment): Promise<MissingSymbols[]> {
    const project = await authorize(ctx, 'catch.crash.view', projectId);
    const since = new Date(ctx.now().getTime() - MISSING_DAYS * 86_400_000);
    const rows = await ctx.em.execute<
      { missing: string; events: string; first: string; last: string; release: string | null }[]
    >(
      `select m.missing, count(*)::text as events, min(received_at) as first, max(received_at) as last,
              (array_agg(release order by received_at desc) filter (where release is not null))[1] as release
         from crash_event, unnest(crash_event.missing) as m(missing)
        where project_id = ? and environment = ? and received_at > ? group by m.missing
        order by count(*) desc, m.missing limit ?`,
      [project.id, environment, since, MOST_MISSING],
    );
    return rows.map(({ missing, events, first, last, release }) => {
      const colon = missing.indexOf(':');
      const key = missing.slice(colon + 1).replace(/^@/, '');
      return {
        projectId: project.id,
        kind: missing.slice(0, colon),
        key,
        debugId: /^[0-9a-f]{32}$/.test(key.replaceAll('-', '')) ? dashedUuid(key) : null,
        release,
        events,
        firstSeenAt: new Date(first),
        lastSeenAt: new Date(last),
      };
    });
  }

  /** Has stored events of any age symbolicated again. Returns how many. */
  async reprocess(ctx: Context, input: Reprocessing): Promise<number> {
    const project = await authorize(ctx, 'catch.crash.reprocess', input.projectId);
    const { environment } = input;
    const count = await reprocessOnRequest(ctx.em, project.id, environment, {
      since: input.since ?? new Date(0),
      until: input.until ?? ctx.now(),
      release: input.release ?? null,
      issueId: input.issueId ?? null,
    });
    await this.jobs.enqueue(ctx, 'catch.symbolicate_events', { projectId: project.id, environment });
    this.events.emit(ctx, 'catch.events.reprocessed', {
      organizationId: project.organizationId,
      projectId: project.id,
      environment,
      object: { type: 'project', id: project.id },
      data: { count },
    });
    return count;
  }

  private async found(ctx: Context, id: string): Promise<CrashIssue> {
    const issue = isPrefixedId('iss', id) ? await ctx.em.findOne(CrashIssue, { id }) : null;
    if (issue === null) throw catchFailure('issue_not_found');
    return issue;
  }
}

interface EventRow {
  event_id: string;
  project_id: string;
  environment: Environment;
  issue_id: string | null;
  received_at: Date;
  occurred_at: Date;
  platform: string;
  level: string;
  release: string | null;
  distinct_id: string | null;
  title: string;
  exception_type: string | null;
  status: string;
  frames: CrashFrame[] | null;
  stacktrace: string | null;
  payload: CrashPayload;
  symbolicated_at: Date | null;
}

function presentEvent(row: EventRow): CrashEvent {
  const frames = row.frames ?? [];
  const { rawStacktrace } = row.payload;
  const status = shownStatus(row.status, frames, rawStacktrace);
  return {
    id: row.event_id,
    projectId: row.project_id,
    environment: row.environment,
    issueId: row.issue_id,
    receivedAt: new Date(row.received_at),
    occurredAt: new Date(row.occurred_at),
    platform: row.platform,
    level: row.level,
    release: row.release,
    distinctId: row.distinct_id,
    title: row.title,
    exceptionType: row.exception_type,
    status,
    statusReason: reasonOf(status, frames),
    frames,
    stacktrace: row.stacktrace,
    rawStacktrace,
    tags: row.payload.tags,
    extra: row.payload.extra,
    breadcrumbs: row.payload.breadcrumbs,
    symbolicatedAt: row.symbolicated_at === null ? null : new Date(row.symbolicated_at),
  };
}
