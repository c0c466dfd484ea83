import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { enumFilter, InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { EnvironmentType } from '../../access/environment.js';
import { AlertFiring } from './alert-firing.entity.js';
import { AlertConditionType, AlertRule } from './alert-rule.entity.js';

export const ALERT_RULES = listOf(AlertRule, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: {
    name: TextFilter,
    condition: enumFilter(AlertConditionType, 'AlertCondition'),
    createdAt: InstantFilter,
    lastFiredAt: InstantFilter,
  },
  search: ['name'],
});

@ArgsType()
export class AlertRuleListArgs extends listArgs(ALERT_RULES) {
  @Field(() => EnvironmentType, { nullable: true, description: 'Defaults to both environments.' })
  environment?: Environment | null;
}

export const RULE_FIRINGS = listOf(AlertFiring, {
  owner: 'ruleId',
  orders: { firedAt: ['firedAt'] },
  usualOrder: { field: 'firedAt', direction: 'desc' },
  filters: { firedAt: InstantFilter },
});

export const ISSUE_FIRINGS: typeof RULE_FIRINGS = { ...RULE_FIRINGS, owner: 'issueId' };

export const AlertFiringListArgs = listArgs(RULE_FIRINGS);

export const AlertRuleConnection = connectionOf(AlertRule, 'AlertRule');
export const AlertFiringConnection = connectionOf(AlertFiring, 'AlertFiring');
