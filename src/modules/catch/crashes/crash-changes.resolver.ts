import { Field, Int, ObjectType, Resolver } from 'type-graphql';
import type { EventData } from '../../../events/catalog.js';
import type { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Context } from '../../../kernel/context.js';
import { ChangeFields, changeOf, EventSubscription } from '../../access/graph/event-subscription.js';
import { AlertRule } from '../alerts/alert-rule.entity.js';
import type { AlertRuleService } from '../alerts/alert-rule.service.js';
import { CrashIssue } from '../issues/crash-issue.entity.js';
import type { CrashIssueService } from './crash-issue.service.js';

@ObjectType({
  description:
    'A crash was seen for the first time, or again after it was resolved, or its issue was resolved, reopened, ignored, assigned or merged.',
})
export class CrashIssueChange extends ChangeFields {
  @Field(() => CrashIssue, { nullable: true, description: 'As it is now.' })
  issue!: CrashIssue;
}

@ObjectType({ description: "An alert rule's condition was met, or someone is testing who receives its alerts." })
export class AlertFired extends ChangeFields {
  @Field(() => AlertRule, { nullable: true, description: 'As it is now.' })
  rule!: AlertRule;

  @Field(() => CrashIssue, { nullable: true })
  issue!: CrashIssue | null;

  @Field(() => Int, { description: 'Number of events counted.' })
  count!: number;

  @Field(() => Boolean, { description: 'Whether it is only a test of who receives the alerts.' })
  isTest!: boolean;
}

@Resolver()
export class CrashChangesResolver {
  constructor(
    private readonly issues: CrashIssueService,
    private readonly rules: AlertRuleService,
  ) {}

  @EventSubscription(() => CrashIssueChange, {
    kinds: /^catch\.issue\./,
    action: 'catch.crash.view',
    description:
      'A crash was seen for the first time, or again after it was resolved, or its issue was resolved, reopened, ignored, assigned or merged.',
  })
  async crashIssueChanged(event: StoredEvent, ctx: Context): Promise<CrashIssueChange> {
    return { ...changeOf(event), issue: await this.issues.get(ctx, event.objectId) };
  }

  @EventSubscription(() => AlertFired, {
    kinds: /^catch\.alert\.fired$/,
    action: 'catch.alert_rule.view',
    description: "An alert rule's condition was met.",
  })
  async alertFired(event: StoredEvent, ctx: Context): Promise<AlertFired> {
    const { issue_id, count, is_test } = event.data as EventData<'catch.alert.fired'>;
    const rule = await this.rules.get(ctx, event.objectId);
    return {
      ...changeOf(event),
      rule,
      issue: issue_id === null ? null : await this.issues.get(ctx, issue_id),
      count,
      isTest: is_test === true,
    };
  }
}
