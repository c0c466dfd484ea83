import { MaxLength } from 'class-validator';
import { ArgsType, Field, Float, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { IsName } from '../../kernel/values/is-name.js';
import { EnvironmentType } from '../access/environment.js';
import { EnvironmentInput, IdInput } from '../access/ids.inputs.js';
import { type AlertCondition, AlertConditionType } from './alerts/alert-rule.entity.js';
import { SymbolArtifactListArgs } from './symbols/artifact-list.js';
import { SymbolKindType } from './symbols/symbol-artifact.entity.js';

@ArgsType()
export class SymbolArtifactsArgs extends SymbolArtifactListArgs {
  @Field(() => ID, { nullable: true, description: 'Optional if the organization has only one project.' })
  projectId?: string | null;
}

@ArgsType()
export class UploadSymbolArtifactArgs {
  @Field(() => String, {
    nullable: true,
    description: 'js_sourcemap, ios_dsym, android_mapping, android_ndk or flutter_symbols.',
    deprecationReason: 'Use `symbolKind`.',
  })
  kind?: string | null;

  @Field(() => SymbolKindType, { nullable: true, description: 'Required without `kind`.' })
  symbolKind?: string | null;

  @Field(() => ID, { nullable: true, description: 'Optional if the organization has only one project.' })
  projectId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'live or test; defaults to live.',
    deprecationReason: 'Use `inEnvironment`.',
  })
  environment?: string | null;

  @Field(() => EnvironmentType, { nullable: true, description: 'Defaults to live.' })
  inEnvironment?: Environment | null;

  @Field(() => String, { nullable: true })
  release?: string | null;

  @Field(() => String, { nullable: true })
  matchKey?: string | null;

  @Field(() => String, { nullable: true })
  commitSha?: string | null;
}

@ArgsType()
export class CrashEventArgs {
  @Field(() => ID, {
    nullable: true,
    description: 'Clients choose event ids, so two projects may share one; without this argument, you get the newest.',
  })
  projectId?: string | null;

  @Field(() => ID, { description: 'The id of the event, as chosen by the client.' })
  id!: string;
}

@InputType()
export class UpdateAlertRuleInput extends IdInput {
  @Field(() => String, { nullable: true })
  @IsName()
  name?: string | null;

  @Field(() => Int, { nullable: true })
  threshold?: number | null;

  @Field(() => Int, { nullable: true })
  windowMinutes?: number | null;

  @Field(() => Boolean, { nullable: true })
  enabled?: boolean | null;
}

@InputType()
export class CreateAlertRuleInput extends EnvironmentInput {
  @Field(() => String)
  @IsName()
  name!: string;

  @Field(() => AlertConditionType)
  condition!: AlertCondition;

  @Field(() => Int, { nullable: true, description: 'Defaults to 1.' })
  threshold?: number | null;

  @Field(() => Int, { nullable: true, description: 'Defaults to 60.' })
  windowMinutes?: number | null;
}

@InputType()
export class UpdateCrashSettingsInput extends EnvironmentInput {
  @Field(() => Float, { nullable: true, description: 'Share of crash events that SDKs send, 0 to 1.' })
  sampleRate?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether `missingSymbols` leaves out operating system libraries.',
  })
  ignoresSystemImages?: boolean | null;
}

@InputType()
export class ReprocessCrashEventsInput extends EnvironmentInput {
  @Field(() => Date, { nullable: true, description: 'Events received at this time or later; defaults to all.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true })
  until?: Date | null;

  @Field(() => String, { nullable: true })
  @MaxLength(2_000)
  release?: string | null;

  @Field(() => ID, { nullable: true })
  issueId?: string | null;
}
