import { Length, MaxLength } from 'class-validator';
import { GraphQLJSON } from 'graphql-scalars';
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { ConditionInputFields } from '../../kernel/targeting/condition-fields.js';
import { ExplainedPersonArgs, RuleInputFields, ShareInputFields } from '../../kernel/targeting/rule-fields.js';
import { OneOf } from '../../kernel/values/one-of.js';
import { EnvironmentType } from '../access/environment.js';
import { FlagKindType } from './flags/flag.entity.js';
import type { FlagKindName } from './flags/flag-kinds.js';

/** The limit of REST, whose bodies have at most 64 KiB. */
const MAX_REASON = 65_536;
const MAX_NOTE = 10_000;

@InputType()
class FlagVariantInput {
  @Field(() => String)
  key!: string;

  @Field(() => GraphQLJSON, { nullable: true, description: 'Any JSON value; true or false for a boolean flag.' })
  value!: unknown;
}

@InputType()
class FlagConditionInput extends ConditionInputFields {}

@InputType()
class FlagShareInput extends ShareInputFields {
  @Field(() => String)
  variant!: string;
}

@OneOf()
@InputType({ description: 'Exactly one of these.' })
class FlagServeInput {
  @Field(() => String, { nullable: true, description: 'One variant for all.' })
  variant?: string | null;

  @Field(() => [FlagShareInput], { nullable: true, description: 'Several variants by weight.' })
  split?: FlagShareInput[] | null;
}

@InputType({ description: 'Serves one variant, or several by weight (docs/targeting.md).' })
class FlagRuleInput extends RuleInputFields {
  @Field(() => FlagServeInput, {
    nullable: true,
    description: 'What the rule serves, instead of `variant` and `split`.',
  })
  serve?: FlagServeInput | null;

  @Field(() => [FlagConditionInput], { nullable: true, description: 'All must match; an empty list matches everyone.' })
  conditions?: FlagConditionInput[] | null;

  @Field(() => String, { nullable: true, description: 'Required without `serve` and without a split.' })
  variant?: string | null;

  @Field(() => [FlagShareInput], { nullable: true, description: 'Instead of a single variant.' })
  split?: FlagShareInput[] | null;

  @Field(() => String, { nullable: true, description: "The salt for buckets, instead of the flag's key." })
  salt?: string | null;
}

@InputType({
  description: 'Another flag that must serve one of these variants; otherwise this flag serves its default.',
})
class FlagPrerequisiteInput {
  @Field(() => String, { description: 'Key of a flag in the same environment.' })
  key!: string;

  @Field(() => [String])
  variants!: string[];
}

@InputType()
export class FlagPartsInput {
  @Field(() => [FlagVariantInput], { nullable: true })
  variants?: FlagVariantInput[] | null;

  @Field(() => String, { nullable: true })
  defaultVariant?: string | null;

  @Field(() => String, { nullable: true, description: 'The default variant by its value.' })
  defaultValue?: string | null;

  @Field(() => [FlagRuleInput], { nullable: true })
  rules?: FlagRuleInput[] | null;

  @Field(() => [FlagPrerequisiteInput], { nullable: true, description: 'All must be met before a rule is tried.' })
  prerequisites?: FlagPrerequisiteInput[] | null;

  @Field(() => String, { nullable: true })
  @Length(0, 10_000)
  description?: string | null;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTE)
  note?: string | null;
}

@InputType()
export class CreateFlagInput extends FlagPartsInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String)
  key!: string;

  @Field(() => FlagKindType, { nullable: true, description: 'Defaults to boolean.' })
  kind?: FlagKindName | null;
}

@InputType()
export class UpdateFlagInput extends FlagPartsInput {
  @Field(() => ID)
  flagId!: string;

  @Field(() => Int, { nullable: true, description: 'Rejects the change if the flag has a different version by now.' })
  expectedVersion?: number | null;
}

@InputType()
export class HaltFlagInput {
  @Field(() => ID)
  flagId!: string;

  @Field(() => String)
  @MaxLength(MAX_REASON)
  reason!: string;

  @Field(() => String, { nullable: true })
  evidenceUrl?: string | null;
}

@InputType()
export class ResumeFlagInput {
  @Field(() => ID)
  flagId!: string;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_REASON)
  note?: string | null;
}

@InputType()
export class FlagIdInput {
  @Field(() => ID)
  flagId!: string;
}

@ArgsType()
export class ExplainFlagArgs extends ExplainedPersonArgs {
  @Field(() => ID)
  flagId!: string;
}
