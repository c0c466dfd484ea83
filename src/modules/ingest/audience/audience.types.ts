import { ArgsType, Field, Float, InputType, Int, ObjectType } from 'type-graphql';
import { ConditionInputFields } from '../../../kernel/targeting/condition-fields.js';
import type { RuleDraft } from '../../../targeting/rules/complete-rule.js';
import { EnvironmentInput } from '../../access/ids.inputs.js';

@InputType()
class AudienceConditionInput extends ConditionInputFields {}

@InputType({ description: 'A rule without what it serves (docs/targeting.md).' })
export class AudienceRuleInput implements RuleDraft {
  @Field(() => [AudienceConditionInput], {
    nullable: true,
    description: 'All must match; an empty list matches everyone.',
  })
  conditions?: AudienceConditionInput[] | null;

  @Field(() => Float, { nullable: true, description: '0 to 100 in steps of 0.001; defaults to 100.' })
  percentage?: number | null;

  @Field(() => String, { nullable: true, description: 'The salt for buckets, instead of that of the list.' })
  salt?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Defaults to distinct_id; otherwise props.<key> or context.<key>.',
  })
  bucketBy?: string | null;
}

@ArgsType()
export class AudienceSizeArgs extends EnvironmentInput {
  @Field(() => [AudienceRuleInput])
  rules!: AudienceRuleInput[];

  @Field(() => String, { nullable: true, description: 'Key of the flag or item the rules belong to.' })
  salt?: string | null;
}

@ObjectType({ description: 'Stored persons of one rule.' })
class AudienceRuleSize {
  @Field(() => Int, { description: 'Persons the rule covers, regardless of earlier rules.' })
  covered!: number;

  @Field(() => Int, { description: 'Persons it covers and no earlier rule does.' })
  decided!: number;
}

@ObjectType({ description: 'How many stored persons rules cover.' })
export class AudienceSize {
  @Field(() => Int, { description: 'Persons covered by at least one rule.' })
  persons!: number;

  @Field(() => Int, { description: 'All stored persons of the environment.' })
  total!: number;

  @Field(() => [AudienceRuleSize], { description: 'In the order of the rules.' })
  rules!: readonly AudienceRuleSize[];

  @Field(() => Boolean, { description: 'Whether the numbers are estimated from a sample.' })
  isEstimate!: boolean;

  @Field(() => Int, {
    description: 'Margin of error of `persons`, exceeded once in twenty times; 0 if they were counted.',
  })
  margin!: number;

  @Field(() => [String], {
    description:
      'Attributes known only from requests: conditions on them are assumed to match, so the real number may be lower.',
  })
  assumed!: readonly string[];
}
