import { Args, FieldResolver, Resolver, Root } from 'type-graphql';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';
import { ListField } from '../../access/graph/list-fields.js';
import { ReadsAlong } from '../../access/graph/read-along.js';
import type { AlertFiring } from '../alerts/alert-firing.entity.js';
import { AlertFiringConnection, AlertFiringListArgs, ISSUE_FIRINGS, RULE_FIRINGS } from '../alerts/alert-lists.js';
import { AlertRule } from '../alerts/alert-rule.entity.js';
import type { AlertRuleService } from '../alerts/alert-rule.service.js';
import { CrashIssue } from '../issues/crash-issue.entity.js';
import { activityOf, CrashIssueActivity, IssueActivityArgs } from '../issues/issue-activity.js';
import { mergedIssuesLoader } from '../issues/merged-issues.js';
import type { CrashEvent } from './crash-event.entity.js';
import type { CrashIssueService } from './crash-issue.service.js';
import { CrashEventConnection, IssueEventListArgs } from './crash-lists.js';

@Resolver(() => CrashIssue)
export class CrashIssueFields {
  constructor(private readonly issues: CrashIssueService) {}

  @FieldResolver(() => CrashIssueActivity, { description: 'Defaults to the last fourteen days.' })
  activity(
    @Operation() operation: OperationContext,
    @Root() { id }: CrashIssue,
    @Args() { days }: IssueActivityArgs,
  ): Promise<CrashIssueActivity> {
    return activityOf(operation, id, days);
  }

  @FieldResolver(() => [CrashIssue], { description: 'The issues merged into it.' })
  merged(@Operation() operation: OperationContext, @Root() { id }: CrashIssue): Promise<CrashIssue[]> {
    return mergedIssuesLoader(operation).load(id);
  }

  @ListField(() => CrashEventConnection, IssueEventListArgs, { description: 'Newest first.' })
  events(operation: OperationContext, issue: CrashIssue, args: IssueEventListArgs): Promise<Page<CrashEvent>> {
    return this.issues.eventsOfIssue(operation, issue, args);
  }

  @ReadsAlong(ISSUE_FIRINGS, 'catch.alert_rule.view')
  @ListField(() => AlertFiringConnection, AlertFiringListArgs, { description: 'Newest first.' })
  firings(operation: OperationContext, issue: CrashIssue, args: ListArgs): Promise<Page<AlertFiring>> {
    return this.issues.firingsFor(operation, issue, args);
  }
}

@Resolver(() => AlertRule)
export class AlertRuleFields {
  constructor(private readonly rules: AlertRuleService) {}

  @ReadsAlong(RULE_FIRINGS, 'catch.alert_rule.view')
  @ListField(() => AlertFiringConnection, AlertFiringListArgs, { description: 'Newest first.' })
  firings(operation: OperationContext, rule: AlertRule, args: ListArgs): Promise<Page<AlertFiring>> {
    return this.rules.firings(operation, rule, args);
  }
}
