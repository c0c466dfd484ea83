import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import type { CrashProject, IssueChange } from '../issues/issue-change.js';
import type { PendingEvent } from '../symbols/pending-events.sql.js';
import {
  addToMerged,
  addToOwn,
  deleteEmpty,
  type GroupedEvent,
  type IssueRow,
  issuesById,
  type OwnIssue,
  reopen,
  takeFrom,
  unmerge,
} from './issue-counts.sql.js';

/**
 * Counts events, oldest first, in the issues of their fingerprints, created if needed, and in those that these were merged into; removes
 * them from the issues they were in before their symbols were known. Emits for each event what it caused: `catch.issue.created`,
 * `catch.issue.regressed` or, if it ends the time for which the issue was ignored, `catch.issue.reopened`. Returns the changes in the order
 * of the events.
 */
export async function countInIssues(
  ctx: Context,
  events: EventLog,
  project: CrashProject,
  environment: 'live' | 'test',
  grouped: readonly GroupedEvent[],
): Promise<IssueChange[]> {
  const before = await issuesById(
    ctx.em,
    grouped.flatMap(({ event }) => event.issue_id ?? []),
  );
  const stays = ({ event, grouping }: GroupedEvent): IssueRow | null => {
    const issue = before.get(event.issue_id ?? '');
    return issue?.fingerprint === grouping.fingerprint ? issue : null;
  };
  const moving = grouped.filter((one) => stays(one) === null);
  const left = moving.flatMap(({ event }) => event.issue_id ?? []);
  await takeFrom(ctx.em, left);
  const { own, shown } = await count(ctx, project, environment, moving);
  const changes: IssueChange[] = [];
  const reopened = new Set<string>();
  const created = new Set([...own.values()].filter((issue) => issue.created));
  for (const one of grouped) {
    const same = stays(one);
    if (same !== null) {
      const { id, merged_into_id, ignored } = same;
      changes.push({ issueId: id, shownId: merged_into_id ?? id, created: false, regressed: false, ignored });
      continue;
    }
    const issue = found(own, one.grouping.fingerprint);
    const state = found(shown, issue.merged_into_id ?? issue.id);
    const before = shownState(state);
    const change = countOne(state, one.event, { issueId: issue.id, created: created.delete(issue) });
    if (change.regressed || change.kind === 'catch.issue.reopened') reopened.add(state.id);
    changes.push(change);
    if (change.kind === null) continue;
    events.emit(ctx, change.kind, {
      project,
      environment,
      object: { type: 'crash_issue', id: state.id },
      data: { issue_id: state.id, title: one.title, release: one.event.release },
      before: change.created ? null : before,
      after: shownState(state),
    });
  }
  await reopen(ctx.em, [...reopened]);
  await deleteEmpty(ctx.em, left);
  return changes;
}

/** The issues of the events' fingerprints, and the visible ones, as of before these events. */
async function count(
  ctx: Context,
  project: CrashProject,
  environment: 'live' | 'test',
  grouped: readonly GroupedEvent[],
): Promise<{ own: Map<string, OwnIssue>; shown: Map<string, IssueRow> }> {
  const byFingerprint = Map.groupBy(grouped, ({ grouping }) => grouping.fingerprint);
  const own = await addToOwn(ctx.em, { projectId: project.id, environment }, byFingerprint);
  const byShown = Map.groupBy(grouped, ({ grouping }) => {
    const { id, merged_into_id } = found(own, grouping.fingerprint);
    return merged_into_id ?? id;
  });
  const isPart = ({ grouping }: GroupedEvent) => found(own, grouping.fingerprint).merged_into_id !== null;
  const merged = await addToMerged(
    ctx.em,
    [...byShown].flatMap(([id, all]) => {
      const parts = all.filter(isPart).length;
      return parts === 0 ? [] : [{ id, all, parts }];
    }),
  );
  // If the other issue is gone, this one stands for itself again.
  const alone = [...own.values()].filter(
    ({ merged_into_id }) => merged_into_id !== null && !merged.has(merged_into_id),
  );
  for (const issue of alone) issue.merged_into_id = null;
  await unmerge(
    ctx.em,
    alone.map(({ id }) => id),
  );
  const shown = new Map<string, IssueRow>();
  for (const [fingerprint, issue] of own) {
    const events = found(byFingerprint, fingerprint).length;
    shown.set(issue.id, { ...issue, event_count: issue.event_count - events });
  }
  for (const [id, issue] of merged) {
    const events = found(byShown, id).length;
    shown.set(id, { ...issue, event_count: issue.event_count - events });
  }
  return { own, shown };
}

type Counted = IssueChange & { kind: 'catch.issue.created' | 'catch.issue.regressed' | 'catch.issue.reopened' | null };

/** What the audit log says about an issue's state, changed by hand or not. */
const shownState = ({ status, ignored }: Pick<IssueRow, 'status' | 'ignored'>): object => ({ status, ignored });

function countOne(state: IssueRow, event: PendingEvent, own: { issueId: string; created: boolean }): Counted {
  state.event_count += 1;
  const receivedAt = new Date(event.received_at);
  const regressed =
    state.status === 'resolved' && state.resolved_at !== null && receivedAt > new Date(state.resolved_at);
  const returned = state.ignored && endsIgnoring(state, receivedAt);
  if (regressed || returned) {
    state.status = 'open';
    state.resolved_at = null;
  }
  const ignored = state.ignored && !returned;
  if (regressed || returned) state.ignored = false;
  const kind = own.created
    ? 'catch.issue.created'
    : regressed
      ? 'catch.issue.regressed'
      : returned
        ? 'catch.issue.reopened'
        : null;
  return { ...own, shownId: state.id, regressed, ignored, kind };
}

function endsIgnoring({ event_count, ignored_until, ignored_until_count }: IssueRow, receivedAt: Date): boolean {
  const isLate = ignored_until !== null && receivedAt > new Date(ignored_until);
  return isLate || (ignored_until_count !== null && event_count >= Number(ignored_until_count));
}

function found<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`no issue was counted for ${String(key)}`);
  return value;
}
