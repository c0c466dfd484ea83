import { GraphQLJSON } from 'graphql-scalars';
import { ArgsType, Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import {
  ConditionExplanationFields,
  ConditionFields,
  ConditionInputFields,
  RuleExplanationFields,
} from '../../../kernel/targeting/condition-fields.js';
import { ExplainedPersonArgs, RuleInputFields, ShareInputFields } from '../../../kernel/targeting/rule-fields.js';
import { OneOf } from '../../../kernel/values/one-of.js';

const SALT = "The salt for buckets, instead of the item's key.";
const VALUE_AS_JSON = { nullable: true, description: '`value` as JSON.' };
const BUCKET_BY = 'Defaults to distinct_id; otherwise props.<key> or context.<key>.';

@InputType()
class ConfigConditionInput extends ConditionInputFields {}

@InputType()
class ConfigShareInput extends ShareInputFields {
  @Field(() => String)
  value!: string;
}

@OneOf()
@InputType({ description: 'Exactly one of these.' })
class ConfigServeInput {
  @Field(() => String, { nullable: true, description: 'One value for all, as text.' })
  value?: string | null;

  @Field(() => [ConfigShareInput], { nullable: true, description: 'Several values by weight.' })
  split?: ConfigShareInput[] | null;
}

@InputType({ description: 'Serves one value, or several by weight (docs/targeting.md).' })
export class ConfigTargetingRuleInput extends RuleInputFields {
  @Field(() => ConfigServeInput, {
    nullable: true,
    description: 'What the rule serves, instead of `value` and `split`.',
  })
  serve?: ConfigServeInput | null;

  @Field(() => [ConfigConditionInput], {
    nullable: true,
    description: 'All must match; an empty list matches everyone.',
  })
  conditions?: ConfigConditionInput[] | null;

  @Field(() => String, { nullable: true, description: 'As text; required without `serve` and without a split.' })
  value?: string | null;

  @Field(() => [ConfigShareInput], { nullable: true, description: 'Instead of a single value.' })
  split?: ConfigShareInput[] | null;

  @Field(() => String, { nullable: true, description: SALT })
  salt?: string | null;
}

@ObjectType()
class ConfigCondition extends ConditionFields {}

@ObjectType({ description: 'A share of a split: a value and its relative weight.' })
class ConfigShare {
  @Field(() => String)
  value!: string;

  @Field(() => GraphQLJSON, VALUE_AS_JSON)
  json?: unknown;

  @Field(() => Float)
  weight!: number;
}

@ObjectType({ description: 'Serves a value to a percentage of those for whom all conditions match.' })
export class ConfigTargetingRule {
  @Field(() => [ConfigCondition])
  conditions!: readonly ConfigCondition[];

  @Field(() => Float)
  percentage!: number;

  @Field(() => String, { description: 'As text; with a split, the value with the largest share.' })
  value!: string;

  @Field(() => GraphQLJSON, VALUE_AS_JSON)
  json?: unknown;

  @Field(() => [ConfigShare], { nullable: true })
  split?: readonly ConfigShare[];

  @Field(() => String, { nullable: true, description: SALT })
  salt?: string;

  @Field(() => String, { nullable: true, description: BUCKET_BY })
  bucketBy?: string;
}

@ObjectType()
class ConfigConditionExplanation extends ConditionExplanationFields {}

@ObjectType({ description: 'The outcome of one rule.' })
class ConfigRuleExplanation extends RuleExplanationFields {
  @Field(() => [ConfigConditionExplanation])
  conditions!: readonly ConfigConditionExplanation[];

  @Field(() => String, {
    nullable: true,
    description: 'What it serves to this person; null if its split cannot decide.',
  })
  value!: string | null;

  @Field(() => GraphQLJSON, VALUE_AS_JSON)
  json?: unknown;
}

@ObjectType({ description: 'Why an item has its value for a person.' })
export class ConfigExplanation {
  @Field(() => String, { description: 'As text.' })
  value!: string;

  @Field(() => GraphQLJSON, VALUE_AS_JSON)
  json?: unknown;

  @Field(() => Int, { nullable: true, description: 'The rule that decided; null for the default value.' })
  ruleIndex!: number | null;

  @Field(() => [ConfigRuleExplanation], { description: 'Every rule, including those after the one that decided.' })
  rules!: readonly ConfigRuleExplanation[];
}

@ArgsType()
export class ExplainConfigArgs extends ExplainedPersonArgs {
  @Field(() => ID)
  itemId!: string;
}
