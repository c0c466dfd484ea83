import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { MINUTE_MS } from '../../../kernel/values/durations.js';
import type { AlertingChange, CrashProject } from '../issues/issue-change.js';
import type { AlertCondition, AlertRule } from './alert-rule.entity.js';

/** Events of the issue within a rule's window; 1 for rules that only look at the change. */
type Condition = (ctx: Context, rule: AlertRule, change: AlertingChange) => Promise<number | null>;

/** One row per condition: how many events make it fire now, or null if it doesn't. */
const CONDITIONS: Record<AlertCondition, Condition> = {
  issue_created: async (_ctx, _rule, change) => (change.created ? 1 : null),
  issue_regressed: async (_ctx, _rule, change) => (change.regressed ? 1 : null),
  event_count: async (ctx, rule, change) => {
    if ((await countSinceWindow(ctx, rule, change)) < rule.threshold) return null;
    const count = await mostWithinWindow(ctx, rule, change);
    return count >= rule.threshold ? count : null;
  },
};

const ITS_EVENTS = `crash_event where issue_id in (select id from crash_issue where id = ? or merged_into_id = ?)
  and received_at > ?::timestamptz - make_interval(mins => ?)`;

/**
 * How many events the issue had since a window before the change's first; none of its windows has more. 0, without counting, while the rule
 * is quiet: otherwise each part of a storm of crashes would count the whole storm.
 */
async function countSinceWindow(ctx: Context, rule: AlertRule, { shownId, since }: AlertingChange): Promise<number> {
  return countOf(
    ctx,
    `select count(*)::text as count from ${ITS_EVENTS}
       and not exists (select from alert_firing where rule_id = ? and issue_id = ? and fired_at > ?)`,
    [shownId, shownId, since, rule.windowMinutes, rule.id, shownId, quietUntil(ctx, rule)],
  );
}

/**
 * The most events within one window that ends with one of the change's. By time of receipt, because they may have waited longer than the
 * window for a worker.
 */
async function mostWithinWindow(ctx: Context, rule: AlertRule, { shownId, since }: AlertingChange): Promise<number> {
  return countOf(
    ctx,
    `select coalesce(max(events), 0)::text as count from (
       select received_at, count(*) over (
         order by received_at range between make_interval(mins => ?) - interval '1 microsecond' preceding and current row
       ) as events from ${ITS_EVENTS}
     ) counted where received_at >= ?::timestamptz`,
    [rule.windowMinutes, shownId, shownId, since, rule.windowMinutes, since],
  );
}

async function countOf(ctx: Context, sql: string, values: readonly unknown[]): Promise<number> {
  const [row] = await ctx.em.execute<{ count: string }[]>(sql, [...values]);
  return Number(row?.count ?? 0);
}

/** A rule that fired for an issue after this time does not fire for it again. */
const quietUntil = (ctx: Context, { condition, windowMinutes }: AlertRule): Date =>
  condition === 'event_count' ? new Date(ctx.now().getTime() - windowMinutes * MINUTE_MS) : ctx.now();

/** Emits `catch.alert.fired` for each rule whose condition an event met; event counts fire once per window and issue. */
export async function fireAlerts(
  ctx: Context,
  events: EventLog,
  project: CrashProject,
  rules: AlertRule[],
  change: AlertingChange,
): Promise<void> {
  for (const rule of rules) {
    const count = await CONDITIONS[rule.condition](ctx, rule, change);
    if (count === null || !(await claimFiring(ctx, rule, change.shownId))) continue;
    rule.lastFiredAt = ctx.now();
    events.emit(ctx, 'catch.alert.fired', {
      project,
      environment: rule.environment,
      object: { type: 'alert_rule', id: rule.id },
      data: {
        rule_id: rule.id,
        rule_name: rule.name,
        issue_id: change.shownId,
        issue_title: await titleOf(ctx, change.shownId),
        count,
      },
    });
  }
}

async function titleOf(ctx: Context, issueId: string): Promise<string | null> {
  const [row] = await ctx.em.execute<{ title: string }[]>('select title from crash_issue where id = ?', [issueId]);
  return row?.title ?? null;
}

async function claimFiring(ctx: Context, rule: AlertRule, issueId: string): Promise<boolean> {
  const rows = await ctx.em.execute<object[]>(
    `insert into alert_firing as f (rule_id, issue_id, fired_at) values (?, ?, ?)
     on conflict (rule_id, issue_id) do update set fired_at = excluded.fired_at where f.fired_at <= ? returning 1`,
    [rule.id, issueId, ctx.now(), quietUntil(ctx, rule)],
  );
  return rows.length > 0;
}
