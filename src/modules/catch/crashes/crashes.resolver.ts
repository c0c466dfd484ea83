import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { connectionOf, type Page } from '../../../kernel/paging.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import { IdInput } from '../../access/access.inputs.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';
import {
  AlertRulesArgs,
  CrashEventsArgs,
  CrashIssuesArgs,
  CreateAlertRuleInput,
  ReprocessCrashEventsInput,
  UpdateCrashSettingsInput,
} from '../catch.inputs.js';
import { AlertRule } from './alert-rule.entity.js';
import type { AlertRuleService } from './alert-rule.service.js';
import { CrashEvent, MissingSymbols, ReprocessedCrashes } from './crash-event.results.js';
import { CrashIssue } from './crash-issue.entity.js';
import type { CrashIssueService } from './crash-issue.service.js';
import { CrashSettings } from './crash-settings.entity.js';
import type { CrashSettingsService } from './crash-settings.service.js';

const CrashIssueConnection = connectionOf(CrashIssue, 'CrashIssue');
const CrashEventConnection = connectionOf(CrashEvent, 'CrashEvent');
const AlertRuleConnection = connectionOf(AlertRule, 'AlertRule');

@Resolver(() => CrashIssue)
export class CrashesResolver {
  constructor(
    private readonly issues: CrashIssueService,
    private readonly alertRuleService: AlertRuleService,
    private readonly settings: CrashSettingsService,
  ) {}

  @Query(() => CrashIssueConnection, { description: 'Crash issues, the one seen last first.' })
  crashIssues(
    @VerbContext() ctx: Context,
    @Args(() => CrashIssuesArgs) args: CrashIssuesArgs,
  ): Promise<Page<CrashIssue>> {
    return this.issues.list(ctx, args, args);
  }

  @Query(() => CrashIssue)
  crashIssue(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<CrashIssue> {
    return this.issues.get(ctx, id);
  }

  @Query(() => CrashEventConnection, { description: 'Crash events, newest first.' })
  crashEvents(
    @VerbContext() ctx: Context,
    @Args(() => CrashEventsArgs) args: CrashEventsArgs,
  ): Promise<Page<CrashEvent>> {
    return this.issues.eventsOf(ctx, args, args);
  }

  @Query(() => [MissingSymbols], {
    description: 'Symbols that recent events asked for in vain, the most wanted first.',
  })
  missingSymbols(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('environment', () => EnvironmentType, { defaultValue: 'live' }) environment: Environment,
  ): Promise<MissingSymbols[]> {
    return this.issues.missingSymbols(ctx, projectId, environment);
  }

  @Query(() => AlertRuleConnection)
  alertRules(@VerbContext() ctx: Context, @Args(() => AlertRulesArgs) args: AlertRulesArgs): Promise<Page<AlertRule>> {
    return this.alertRuleService.list(ctx, args, args);
  }

  @Query(() => CrashSettings)
  crashSettings(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('environment', () => EnvironmentType, { defaultValue: 'live' }) environment: Environment,
  ): Promise<Omit<CrashSettings, 'updatedAt'>> {
    return this.settings.get(ctx, projectId, environment);
  }

  @Mutation(() => CrashSettings, { description: 'Clients see the change with their next handshake.' })
  updateCrashSettings(
    @VerbContext() ctx: Context,
    @Arg('input', () => UpdateCrashSettingsInput) input: UpdateCrashSettingsInput,
  ): Promise<CrashSettings> {
    return this.settings.change(ctx, input);
  }

  @Mutation(() => ReprocessedCrashes, { description: 'Symbolicates stored events of any age again.' })
  async reprocessCrashEvents(
    @VerbContext() ctx: Context,
    @Arg('input', () => ReprocessCrashEventsInput) input: ReprocessCrashEventsInput,
  ): Promise<ReprocessedCrashes> {
    return { events: await this.issues.reprocess(ctx, input) };
  }

  @Mutation(() => CrashIssue, { description: 'The next event of the issue reopens it.' })
  resolveCrashIssue(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<CrashIssue> {
    return this.issues.resolve(ctx, input.id);
  }

  @Mutation(() => AlertRule)
  createAlertRule(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateAlertRuleInput) input: CreateAlertRuleInput,
  ): Promise<AlertRule> {
    return this.alertRuleService.create(ctx, input);
  }

  @Mutation(() => AlertRule)
  deleteAlertRule(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<AlertRule> {
    return this.alertRuleService.delete(ctx, input.id);
  }
}
