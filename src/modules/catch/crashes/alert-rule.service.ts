import type { EventLog } from '../../../events/event-log.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { authorize } from '../../access/guard.js';
import { catchFailure } from '../catch.errors.js';
import { type AlertCondition, AlertRule } from './alert-rule.entity.js';

export interface NewAlertRule {
  projectId: string;
  environment: Environment;
  name: string;
  condition: AlertCondition;
  threshold?: number | null;
  windowMinutes?: number | null;
}

const MOST_MINUTES = 7 * 24 * 60;

/** Rules that say when crashes raise an alert. */
export class AlertRuleService {
  constructor(private readonly events: EventLog) {}

  async list(
    ctx: Context,
    filter: { projectId: string; environment?: Environment | null },
    page: PageArgs,
  ): Promise<Page<AlertRule>> {
    const project = await authorize(ctx, 'catch.alert_rule.view', filter.projectId);
    const where = { projectId: project.id, ...(filter.environment ? { environment: filter.environment } : {}) };
    return findPage(ctx.em, AlertRule, page, where, { createdAt: 'asc', id: 'asc' });
  }

  /** Fails with `bad_alert_rule`. */
  async create(ctx: Context, input: NewAlertRule): Promise<AlertRule> {
    const project = await authorize(ctx, 'catch.alert_rule.manage', input.projectId);
    const threshold = input.threshold ?? 1;
    const windowMinutes = input.windowMinutes ?? 60;
    if (threshold < 1 || threshold > 1_000_000_000)
      throw catchFailure('bad_alert_rule', { problem: 'the threshold is 1 or more' });
    if (windowMinutes < 1 || windowMinutes > MOST_MINUTES) {
      throw catchFailure('bad_alert_rule', { problem: `the window is 1 to ${MOST_MINUTES} minutes` });
    }
    const rule = ctx.em.create(AlertRule, {
      projectId: project.id,
      environment: input.environment,
      name: storableText(input.name),
      condition: input.condition,
      threshold,
      windowMinutes,
      createdAt: ctx.now(),
    });
    this.events.emit(ctx, 'catch.alert_rule.created', {
      organizationId: project.organizationId,
      projectId: project.id,
      environment: rule.environment,
      object: { type: 'alert_rule', id: rule.id },
      data: { id: rule.id, name: rule.name },
      after: settingsOf(rule),
    });
    return rule;
  }

  /** Fails with `alert_rule_not_found`. */
  async delete(ctx: Context, id: string): Promise<AlertRule> {
    const invisible = () => catchFailure('alert_rule_not_found');
    const rule = isPrefixedId('alr', id) ? await ctx.em.findOne(AlertRule, { id }) : null;
    if (rule === null) throw invisible();
    const project = await authorize(ctx, 'catch.alert_rule.manage', rule.projectId, invisible);
    await ctx.em.nativeDelete(AlertRule, { id: rule.id });
    await ctx.em.execute('delete from alert_firing where rule_id = ?', [rule.id]);
    this.events.emit(ctx, 'catch.alert_rule.deleted', {
      organizationId: project.organizationId,
      projectId: project.id,
      environment: rule.environment,
      object: { type: 'alert_rule', id: rule.id },
      data: { id: rule.id, name: rule.name },
      before: settingsOf(rule),
    });
    return rule;
  }
}

const settingsOf = ({ name, condition, threshold, windowMinutes }: AlertRule): object => ({
  name,
  condition,
  threshold,
  windowMinutes,
});
