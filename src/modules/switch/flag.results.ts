import { GraphQLJSON } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import {
  ConditionExplanationFields,
  ConditionFields,
  RuleExplanationFields,
} from '../../kernel/targeting/condition-fields.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { FLAG_REASONS, type FlagReason } from '../../targeting/flags/compiled-flag.js';
import type { Prerequisite } from '../../targeting/prerequisites/prerequisite.js';
import type { FlagExplanation, FlagRuleExplanation, PrerequisiteExplanation } from './evaluation/flag-explanation.js';

const FlagReasonType = enumType('FlagReason', FLAG_REASONS, { description: 'What decided.' });

@ObjectType('FlagVariant', { description: 'A value that a flag can take.' })
export class FlagVariantType {
  @Field(() => String)
  key!: string;

  @Field(() => GraphQLJSON, { nullable: true })
  value!: unknown;
}

@ObjectType('FlagCondition', { description: 'Matches if the attribute matches any of the values.' })
class FlagConditionType extends ConditionFields {}

@ObjectType('FlagShare', { description: 'A share of a split: a variant and its relative weight.' })
class FlagShareType {
  @Field(() => String)
  variant!: string;

  @Field(() => Float)
  weight!: number;
}

@ObjectType('FlagRule', { description: 'Serves a variant to a percentage of those for whom all conditions match.' })
export class FlagRuleType {
  @Field(() => [FlagConditionType])
  conditions!: FlagConditionType[];

  @Field(() => Float, { description: '0 to 100, in steps of 0.001.' })
  percentage!: number;

  @Field(() => String, { description: 'With a split, the variant with the largest share.' })
  variant!: string;

  @Field(() => [FlagShareType], { nullable: true, description: 'Several variants by weight instead of one.' })
  split?: FlagShareType[];

  @Field(() => String, { nullable: true, description: "The salt for buckets, instead of the flag's key." })
  salt?: string;

  @Field(() => String, { nullable: true, description: 'The attribute used for bucketing; defaults to distinct_id.' })
  bucketBy?: string;
}

@ObjectType('FlagPrerequisite', {
  description: 'Another flag that must serve one of these variants; otherwise this flag serves its default.',
})
export class FlagPrerequisiteType implements Prerequisite {
  projectId?: string;

  environment?: Environment;

  @Field(() => String, { description: 'Key of a flag in the same environment.' })
  key!: string;

  @Field(() => [String])
  variants!: readonly string[];
}

@ObjectType('FlagConditionExplanation')
class ConditionExplanationType extends ConditionExplanationFields {}

@ObjectType('FlagRuleExplanation', { description: 'The outcome of one rule.' })
class RuleExplanationType extends RuleExplanationFields implements Omit<FlagRuleExplanation, 'share'> {
  @Field(() => [ConditionExplanationType])
  conditions!: ConditionExplanationType[];

  @Field(() => String, {
    nullable: true,
    description: 'What it serves to this person; null if its split cannot decide.',
  })
  variant!: string | null;
}

@ObjectType('FlagDecision', { description: 'What the flag serves, in the format of the handshake.' })
export class FlagDecisionType {
  @Field(() => GraphQLJSON, { nullable: true })
  value!: unknown;

  @Field(() => String)
  variant!: string;

  @Field(() => String, {
    description: 'halted, archived, prerequisite, rule, rollout or default.',
    deprecationReason: 'Use `reasonCode`.',
  })
  @Field(() => FlagReasonType, { name: 'reasonCode' })
  reason!: FlagReason;

  @Field(() => Int)
  version!: number;

  @Field(() => Int, { nullable: true, description: 'The rule that decided.' })
  ruleIndex!: number | null;
}

@ObjectType('FlagExplanation', { description: 'Why a flag has its value for a person.' })
export class FlagExplanationType implements FlagExplanation {
  @Field(() => FlagDecisionType)
  decision!: FlagExplanation['decision'];

  @Field(() => Int, { nullable: true, description: 'Bucket of the distinct id, 0 to 99,999.' })
  bucket!: number | null;

  @Field(() => [FlagPrerequisiteExplanationType], {
    description: 'In order; if one is not met, the default is served.',
  })
  prerequisites!: readonly PrerequisiteExplanation[];

  @Field(() => [RuleExplanationType], { description: 'Every rule, including those after the one that decided.' })
  rules!: readonly FlagRuleExplanation[];
}

@ObjectType('FlagPrerequisiteExplanation', { description: 'The outcome of a prerequisite.' })
export class FlagPrerequisiteExplanationType implements PrerequisiteExplanation {
  @Field(() => String)
  key!: string;

  @Field(() => [String], { description: 'The variants that satisfy it.' })
  variants!: readonly string[];

  @Field(() => Boolean)
  isMet!: boolean;

  @Field(() => FlagExplanationType, { nullable: true, description: 'Why the other flag has its value.' })
  explanation!: FlagExplanation | null;
}
