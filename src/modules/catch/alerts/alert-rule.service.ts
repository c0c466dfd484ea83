import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { Problem } from '../../../targeting/rules/rule-problems.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import { catchFailure } from '../catch.errors.js';
import type { CreateAlertRuleInput, UpdateAlertRuleInput } from '../catch.inputs.js';
import type { AlertFiring } from './alert-firing.entity.js';
import { ALERT_RULES, type AlertRuleListArgs, RULE_FIRINGS } from './alert-lists.js';
import { AlertRule } from './alert-rule.entity.js';
import type { AlertRuleTest } from './alert-rule-test.js';

const MOST_MINUTES = 7 * 24 * 60;
const MOST_THRESHOLD = 1_000_000_000;

export class AlertRuleService {
  private readonly rows = new ProjectRows(AlertRule, 'alr', () => catchFailure('alert_rule_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: AlertRuleListArgs): Promise<Page<AlertRule>> {
    const where = args.environment ? { environment: args.environment } : {};
    return listOfOwner(operation, 'catch.alert_rule.view', ALERT_RULES, projectId, args, where);
  }

  /** Fails with `alert_rule_not_found`. */
  get(ctx: Context, id: string): Promise<AlertRule> {
    return this.rows.get(ctx, 'catch.alert_rule.view', id);
  }

  firings(operation: OperationContext, rule: AlertRule, args: ListArgs): Promise<Page<AlertFiring>> {
    return listOfOwner(operation, 'catch.alert_rule.view', RULE_FIRINGS, rule, args);
  }

  /** Fails with `bad_alert_rule`. */
  async create(ctx: Context, input: CreateAlertRuleInput): Promise<AlertRule> {
    const project = await authorize(ctx, 'catch.alert_rule.manage', input.projectId);
    const threshold = input.threshold ?? 1;
    const windowMinutes = input.windowMinutes ?? 60;
    refuseBad(threshold, windowMinutes);
    const rule = ctx.em.create(AlertRule, {
      projectId: project.id,
      environment: input.environment,
      name: storableText(input.name),
      condition: input.condition,
      threshold,
      windowMinutes,
      isEnabled: true,
      createdAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'catch.alert_rule.created', aboutRule(project, rule), null, settingsOf(rule));
    return rule;
  }

  /** Changes the given fields; the condition and the environment stay. Fails with `alert_rule_not_found`, `bad_alert_rule`. */
  async update(ctx: Context, input: UpdateAlertRuleInput): Promise<AlertRule> {
    const { row: rule, project } = await this.rows.locked(ctx, 'catch.alert_rule.manage', input.id);
    const before = settingsOf(rule);
    const threshold = input.threshold ?? rule.threshold;
    const windowMinutes = input.windowMinutes ?? rule.windowMinutes;
    refuseBad(threshold, windowMinutes);
    if (input.name) rule.name = storableText(input.name);
    rule.threshold = threshold;
    rule.windowMinutes = windowMinutes;
    rule.isEnabled = input.enabled ?? rule.isEnabled;
    this.events.emitChange(ctx, 'catch.alert_rule.changed', aboutRule(project, rule), before, settingsOf(rule));
    return rule;
  }

  /** Fails with `alert_rule_not_found`. */
  async delete(ctx: Context, id: string): Promise<AlertRule> {
    const { row: rule, project } = await this.rows.locked(ctx, 'catch.alert_rule.manage', id);
    await ctx.em.nativeDelete(AlertRule, { id: rule.id });
    await ctx.em.execute('delete from alert_firing where rule_id = ?', [rule.id]);
    this.events.emitChange(ctx, 'catch.alert_rule.deleted', aboutRule(project, rule), settingsOf(rule), null);
    return rule;
  }

  /**
   * Emits `catch.alert.fired` without an issue and marked as a test, the same way as a real one. The rule doesn't count as having fired.
   * Fails with `alert_rule_not_found`.
   */
  async test(ctx: Context, id: string): Promise<AlertRuleTest> {
    const { row: rule, project } = await this.rows.visible(ctx, 'catch.alert_rule.manage', id);
    const event = this.events.emit(ctx, 'catch.alert.fired', {
      project,
      environment: rule.environment,
      object: { type: 'alert_rule', id: rule.id },
      data: { rule_id: rule.id, rule_name: rule.name, issue_id: null, issue_title: null, count: 0, is_test: true },
    });
    return { rule, eventId: event.id };
  }
}

function refuseBad(threshold: number, windowMinutes: number): void {
  const problems: Problem[] = [];
  if (threshold < 1 || threshold > MOST_THRESHOLD)
    problems.push({ path: 'threshold', problem: `must be from 1 to ${MOST_THRESHOLD}` });
  if (windowMinutes < 1 || windowMinutes > MOST_MINUTES)
    problems.push({ path: 'windowMinutes', problem: `must be from 1 to ${MOST_MINUTES}` });
  if (problems.length > 0) throw catchFailure('bad_alert_rule', { problems });
}

const settingsOf = ({ name, condition, threshold, windowMinutes, isEnabled }: AlertRule): object => ({
  name,
  condition,
  threshold,
  windowMinutes,
  enabled: isEnabled,
});

const aboutRule = (project: Project, { id, environment, name }: AlertRule) => ({
  project,
  environment,
  object: { type: 'alert_rule', id },
  data: { id, name },
});
