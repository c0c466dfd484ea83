import { Length } from 'class-validator';
import { GraphQLJSON } from 'graphql-scalars';
import { ArgsType, Extensions, Field, Float, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { EnvironmentType } from '../access/keys/project-key.entity.js';
import { FlagKindType } from './flags/flag.entity.js';
import { FLAG_LIMITS } from './flags/flag-draft.js';
import type { FlagKindName } from './flags/flag-kinds.js';
import { FlagListArgs } from './flags/flag-lists.js';

@InputType()
class FlagVariantInput {
  @Field(() => String)
  key!: string;

  @Field(() => GraphQLJSON, { nullable: true, description: 'Any JSON value; true or false for a boolean flag.' })
  value!: unknown;
}

@InputType()
class FlagConditionInput {
  @Field(() => String, { description: 'cohort, props.<key>, app_version, platform or distinct_id.' })
  attribute!: string;

  @Field(() => [String], { description: 'Any of these; for app_version ranges such as ">=2.1 <3".' })
  @Extensions({ mostEntries: FLAG_LIMITS.values })
  values!: string[];
}

@InputType()
class FlagRuleInput {
  @Field(() => [FlagConditionInput], { nullable: true, description: 'All must hold; none mean everyone.' })
  conditions?: FlagConditionInput[] | null;

  @Field(() => Float, { nullable: true, description: '0 to 100 in steps of 0.001; 100 when absent.' })
  percentage?: number | null;

  @Field(() => String)
  variant!: string;
}

@InputType()
class FlagPartsInput {
  @Field(() => [FlagVariantInput], { nullable: true })
  variants?: FlagVariantInput[] | null;

  @Field(() => String, { nullable: true })
  defaultVariant?: string | null;

  @Field(() => String, { nullable: true, description: 'The default variant by its value.' })
  defaultValue?: string | null;

  @Field(() => [FlagRuleInput], { nullable: true })
  rules?: FlagRuleInput[] | null;

  @Field(() => String, { nullable: true })
  @Length(0, 10_000)
  description?: string | null;

  @Field(() => String, { nullable: true })
  note?: string | null;
}

@InputType()
export class CreateFlagInput extends FlagPartsInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType)
  environment!: Environment;

  @Field(() => String)
  key!: string;

  @Field(() => FlagKindType, { nullable: true, description: 'boolean when absent.' })
  kind?: FlagKindName | null;
}

@InputType()
export class UpdateFlagInput extends FlagPartsInput {
  @Field(() => ID)
  flagId!: string;

  @Field(() => Int, { nullable: true, description: 'Refuses the change when the flag has another version by now.' })
  expectedVersion?: number | null;
}

@InputType()
export class HaltFlagInput {
  @Field(() => ID)
  flagId!: string;

  @Field(() => String)
  reason!: string;

  @Field(() => String, { nullable: true })
  evidenceUrl?: string | null;
}

@InputType()
export class ResumeFlagInput {
  @Field(() => ID)
  flagId!: string;

  @Field(() => String, { nullable: true })
  note?: string | null;
}

@InputType()
export class FlagIdInput {
  @Field(() => ID)
  flagId!: string;
}

@ArgsType()
export class FlagsArgs extends FlagListArgs {
  @Field(() => ID)
  projectId!: string;
}

@ArgsType()
export class ExplainFlagArgs {
  @Field(() => ID)
  flagId!: string;

  @Field(() => String, { nullable: true })
  distinctId?: string | null;

  @Field(() => String, { nullable: true })
  appVersion?: string | null;

  @Field(() => String, { nullable: true })
  platform?: string | null;

  @Field(() => [String], { nullable: true, description: 'Instead of the cohorts the person is in.' })
  cohorts?: string[] | null;

  @Field(() => GraphQLJSON, { nullable: true, description: 'Properties that stand before the stored ones.' })
  properties?: unknown;
}
