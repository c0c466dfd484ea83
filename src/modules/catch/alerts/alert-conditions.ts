import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import type { CrashProject, IssueChange } from '../issues/issue-change.js';
import type { AlertCondition, AlertRule } from './alert-rule.entity.js';

/** Events of the issue within a rule's window; 1 for rules that only look at the change. */
type Condition = (ctx: Context, rule: AlertRule, change: IssueChange) => Promise<number | null>;

/** One row per condition: how many events make it fire now, or null if it doesn't. */
const CONDITIONS: Record<AlertCondition, Condition> = {
  issue_created: async (_ctx, _rule, change) => (change.created ? 1 : null),
  issue_regressed: async (_ctx, _rule, change) => (change.regressed ? 1 : null),
  event_count: async (ctx, rule, change) => {
    const since = new Date(ctx.now().getTime() - rule.windowMinutes * 60_000);
    const [row] = await ctx.em.execute<{ count: string }[]>(
      `select count(*)::text as count from crash_event
        where issue_id in (select id from crash_issue where id = ? or merged_into_id = ?) and received_at > ?`,
      [change.shownId, change.shownId, since],
    );
    const count = Number(row?.count ?? 0);
    return count >= rule.threshold ? count : null;
  },
};

/** Emits `catch.alert.fired` for each rule whose condition an event met; event counts fire once per window and issue. */
export async function fireAlerts(
  ctx: Context,
  events: EventLog,
  project: CrashProject,
  rules: AlertRule[],
  change: IssueChange,
): Promise<void> {
  for (const rule of rules) {
    const count = await CONDITIONS[rule.condition](ctx, rule, change);
    if (count === null || !(await claimFiring(ctx, rule, change.shownId))) continue;
    rule.lastFiredAt = ctx.now();
    events.emit(ctx, 'catch.alert.fired', {
      project,
      environment: rule.environment,
      object: { type: 'alert_rule', id: rule.id },
      data: { rule_id: rule.id, rule_name: rule.name, issue_id: change.shownId, count },
    });
  }
}

async function claimFiring(ctx: Context, rule: AlertRule, issueId: string): Promise<boolean> {
  const quietUntil =
    rule.condition === 'event_count' ? new Date(ctx.now().getTime() - rule.windowMinutes * 60_000) : ctx.now();
  const rows = await ctx.em.execute<object[]>(
    `insert into alert_firing as f (rule_id, issue_id, fired_at) values (?, ?, ?)
     on conflict (rule_id, issue_id) do update set fired_at = excluded.fired_at where f.fired_at <= ? returning 1`,
    [rule.id, issueId, ctx.now(), quietUntil],
  );
  return rows.length > 0;
}
