import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf, inBulk } from '../../../kernel/refusal.js';
import { type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { ProjectList } from '../../access/graph/list-fields.js';
import { EnvironmentInput, IdInput, IdsInput } from '../../access/ids.inputs.js';
import { Project } from '../../access/projects/project.entity.js';
import { AlertRuleConnection, AlertRuleListArgs } from '../alerts/alert-lists.js';
import { AlertRule } from '../alerts/alert-rule.entity.js';
import type { AlertRuleService } from '../alerts/alert-rule.service.js';
import { AlertRuleTest } from '../alerts/alert-rule-test.js';
import {
  CrashEventArgs,
  CreateAlertRuleInput,
  ReprocessCrashEventsInput,
  UpdateAlertRuleInput,
  UpdateCrashSettingsInput,
} from '../catch.inputs.js';
import { MissingSymbols, ReprocessedCrashes } from '../catch.results.js';
import { CrashIssue } from '../issues/crash-issue.entity.js';
import { CrashEvent } from './crash-event.entity.js';
import type { CrashIssueService } from './crash-issue.service.js';
import { CrashEventConnection, CrashEventListArgs, CrashIssueConnection, CrashIssueListArgs } from './crash-lists.js';
import { CrashSettings } from './crash-settings.entity.js';
import type { CrashSettingsService } from './crash-settings.service.js';

const CrashIssueBulkAnswer = bulkAnswerOf(CrashIssue, 'CrashIssue');

@Resolver(() => Project)
export class CrashesResolver {
  constructor(
    private readonly issues: CrashIssueService,
    private readonly alertRuleService: AlertRuleService,
    private readonly settings: CrashSettingsService,
  ) {}

  @ProjectList(() => CrashIssueConnection, CrashIssueListArgs, {
    field: 'Most recently seen first.',
    query: 'Crash issues, most recently seen first.',
  })
  crashIssues(operation: OperationContext, projectId: string, args: CrashIssueListArgs): Promise<Page<CrashIssue>> {
    return this.issues.list(operation, projectId, args);
  }

  @ProjectList(() => CrashEventConnection, CrashEventListArgs, {
    field: 'Newest first.',
    query: 'Crash events, newest first.',
  })
  crashEvents(operation: OperationContext, projectId: string, args: CrashEventListArgs): Promise<Page<CrashEvent>> {
    return this.issues.eventsOf(operation, projectId, args);
  }

  @ProjectList(() => AlertRuleConnection, AlertRuleListArgs)
  alertRules(operation: OperationContext, projectId: string, args: AlertRuleListArgs): Promise<Page<AlertRule>> {
    return this.alertRuleService.list(operation, projectId, args);
  }

  @Query(() => CrashIssue)
  crashIssue(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<CrashIssue> {
    return this.issues.get(ctx, id);
  }

  @Query(() => CrashEvent)
  crashEvent(@VerbContext() ctx: Context, @Args() args: CrashEventArgs): Promise<CrashEvent> {
    return this.issues.event(ctx, args);
  }

  @Query(() => [MissingSymbols], {
    description: 'Missing symbols that recent events need: your own before those of the system, then the most needed.',
  })
  missingSymbols(
    @VerbContext() ctx: Context,
    @Args() { projectId, environment }: EnvironmentInput,
  ): Promise<MissingSymbols[]> {
    return this.issues.missingSymbols(ctx, projectId, environment);
  }

  @Query(() => AlertRule)
  alertRule(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<AlertRule> {
    return this.alertRuleService.get(ctx, id);
  }

  @Query(() => CrashSettings)
  crashSettings(
    @VerbContext() ctx: Context,
    @Args() { projectId, environment }: EnvironmentInput,
  ): Promise<Omit<CrashSettings, 'updatedAt'>> {
    return this.settings.get(ctx, projectId, environment);
  }

  @Mutation(() => CrashSettings, { description: 'Clients see the change with their next handshake.' })
  updateCrashSettings(
    @VerbContext() ctx: Context,
    @Arg('input') input: UpdateCrashSettingsInput,
  ): Promise<CrashSettings> {
    return this.settings.change(ctx, input);
  }

  @Mutation(() => ReprocessedCrashes, { description: 'Symbolicates stored events of any age again.' })
  async reprocessCrashEvents(
    @VerbContext() ctx: Context,
    @Arg('input') input: ReprocessCrashEventsInput,
  ): Promise<ReprocessedCrashes> {
    return { events: await this.issues.reprocess(ctx, input) };
  }

  @Mutation(() => CrashIssue, { description: 'The next event of the issue reopens it.' })
  resolveCrashIssue(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<CrashIssue> {
    return this.issues.resolve(ctx, input.id);
  }

  @Mutation(() => [CrashIssueBulkAnswer], {
    description: 'In one transaction; rejected issues are reported one by one.',
  })
  resolveCrashIssues(@VerbContext() ctx: Context, @Arg('input') { ids }: IdsInput): Promise<BulkAnswer<CrashIssue>[]> {
    return inBulk(ids, (id) => this.issues.resolve(ctx, id));
  }

  @Mutation(() => AlertRule)
  createAlertRule(@VerbContext() ctx: Context, @Arg('input') input: CreateAlertRuleInput): Promise<AlertRule> {
    return this.alertRuleService.create(ctx, input);
  }

  @Mutation(() => AlertRule, { description: 'Changes the given fields; the condition and the environment stay.' })
  updateAlertRule(@VerbContext() ctx: Context, @Arg('input') input: UpdateAlertRuleInput): Promise<AlertRule> {
    return this.alertRuleService.update(ctx, input);
  }

  @Mutation(() => AlertRuleTest, {
    description: 'Sends an event marked with `is_test` to webhooks that listen to catch.alert.fired.',
  })
  testAlertRule(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<AlertRuleTest> {
    return this.alertRuleService.test(ctx, input.id);
  }

  @Mutation(() => AlertRule)
  deleteAlertRule(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<AlertRule> {
    return this.alertRuleService.delete(ctx, input.id);
  }
}
