import { GraphQLJSON } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { ConditionExplanation, FlagExplanation, RuleExplanation } from './evaluation/flag-explanation.js';

@ObjectType('FlagVariant', { description: 'A value that a flag can take.' })
export class FlagVariantType {
  @Field(() => String)
  key!: string;

  @Field(() => GraphQLJSON, { nullable: true })
  value!: unknown;
}

@ObjectType('FlagCondition', { description: 'Holds when the attribute matches any of the values.' })
export class FlagConditionType {
  @Field(() => String, { description: 'cohort, props.<key>, app_version, platform or distinct_id.' })
  attribute!: string;

  @Field(() => [String])
  values!: string[];
}

@ObjectType('FlagRule', { description: 'Serves a variant to a percentage of those for whom all conditions hold.' })
export class FlagRuleType {
  @Field(() => [FlagConditionType])
  conditions!: FlagConditionType[];

  @Field(() => Float, { description: '0 to 100, in steps of 0.001.' })
  percentage!: number;

  @Field(() => String)
  variant!: string;
}

@ObjectType('FlagConditionExplanation')
class ConditionExplanationType extends FlagConditionType implements ConditionExplanation {
  @Field(() => Boolean)
  holds!: boolean;
}

@ObjectType('FlagRuleExplanation', { description: 'What became of one rule.' })
class RuleExplanationType implements RuleExplanation {
  @Field(() => Int)
  index!: number;

  @Field(() => [ConditionExplanationType])
  conditions!: ConditionExplanationType[];

  @Field(() => Float)
  percentage!: number;

  @Field(() => Boolean)
  inRollout!: boolean;

  @Field(() => Boolean)
  applies!: boolean;

  @Field(() => String, {
    description: 'The condition that failed first, the rollout that leaves the person out, or that it applies.',
  })
  because!: string;
}

@ObjectType('FlagDecision', { description: 'What the flag serves, as the handshake answers it.' })
class FlagDecisionType {
  @Field(() => GraphQLJSON, { nullable: true })
  value!: unknown;

  @Field(() => String)
  variant!: string;

  @Field(() => String, { description: 'halted, archived, rule, rollout or default.' })
  reason!: string;

  @Field(() => Int)
  version!: number;

  @Field(() => Int, { nullable: true, description: 'The rule that decided.' })
  ruleIndex!: number | null;
}

@ObjectType('FlagExplanation', { description: 'Why a flag answers a person as it does.' })
export class FlagExplanationType implements FlagExplanation {
  @Field(() => FlagDecisionType)
  decision!: FlagExplanation['decision'];

  @Field(() => Int, { nullable: true, description: 'Bucket of the distinct id, 0 to 99,999.' })
  bucket!: number | null;

  @Field(() => [RuleExplanationType], { description: 'Every rule, also those after the one that decided.' })
  rules!: RuleExplanationType[];
}
