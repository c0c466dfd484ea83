import { Length, MaxLength } from 'class-validator';
import { ArgsType, Field, Float, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { PageArgs } from '../../kernel/paging.js';
import { EnvironmentType } from '../access/keys/project-key.entity.js';
import { type AlertCondition, AlertConditionType } from './crashes/alert-rule.entity.js';
import { type IssueStatus, IssueStatusType } from './crashes/crash-issue.entity.js';

@ArgsType()
export class SymbolArtifactsArgs extends PageArgs {
  @Field(() => ID, { nullable: true, description: 'May be left out when the organization has one project.' })
  projectId?: string | null;

  @Field(() => EnvironmentType, { nullable: true })
  environment?: Environment | null;

  @Field(() => String, { nullable: true })
  kind?: string | null;

  @Field(() => String, { nullable: true })
  release?: string | null;
}

@ArgsType()
export class UploadSymbolArtifactArgs {
  @Field(() => String, { description: 'js_sourcemap, ios_dsym, android_mapping, android_ndk or flutter_symbols.' })
  kind!: string;

  @Field(() => ID, { nullable: true, description: 'May be left out when the organization has one project.' })
  projectId?: string | null;

  @Field(() => String, { nullable: true, description: 'live, unless it is test.' })
  environment?: string | null;

  @Field(() => String, { nullable: true })
  release?: string | null;

  @Field(() => String, { nullable: true })
  matchKey?: string | null;

  @Field(() => String, { nullable: true })
  commitSha?: string | null;
}

@ArgsType()
export class CrashIssuesArgs extends PageArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => IssueStatusType, { nullable: true })
  status?: IssueStatus | null;
}

@ArgsType()
export class CrashEventsArgs extends PageArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => ID, { nullable: true })
  issueId?: string | null;

  @Field(() => String, { nullable: true })
  release?: string | null;
}

@ArgsType()
export class AlertRulesArgs extends PageArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { nullable: true })
  environment?: Environment | null;
}

@InputType()
export class CreateAlertRuleInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String)
  @Length(1, 200)
  name!: string;

  @Field(() => AlertConditionType)
  condition!: AlertCondition;

  @Field(() => Int, { nullable: true, description: '1 when left out.' })
  threshold?: number | null;

  @Field(() => Int, { nullable: true, description: '60 when left out.' })
  windowMinutes?: number | null;
}

@InputType()
export class UpdateCrashSettingsInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => Float, { description: 'Share of crash events that SDKs send, 0 to 1.' })
  sampleRate!: number;
}

@InputType()
export class ReprocessCrashEventsInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => Date, { nullable: true, description: 'Events received at this time or later; all when left out.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true })
  until?: Date | null;

  @Field(() => String, { nullable: true })
  @MaxLength(2_000)
  release?: string | null;

  @Field(() => ID, { nullable: true })
  issueId?: string | null;
}
