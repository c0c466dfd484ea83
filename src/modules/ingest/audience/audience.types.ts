import { ArgsType, Field, Float, InputType, Int, ObjectType } from 'type-graphql';
import { ConditionInputFields } from '../../../kernel/targeting/condition-fields.js';
import type { RuleDraft } from '../../../targeting/rules/complete-rule.js';
import { EnvironmentInput } from '../../access/environment-input.js';

@InputType()
class AudienceConditionInput extends ConditionInputFields {}

@InputType({ description: 'A rule without what it gives (docs/targeting.md).' })
export class AudienceRuleInput implements RuleDraft {
  @Field(() => [AudienceConditionInput], { nullable: true, description: 'All must hold; none mean everyone.' })
  conditions?: AudienceConditionInput[] | null;

  @Field(() => Float, { nullable: true, description: '0 to 100 in steps of 0.001; 100 when absent.' })
  percentage?: number | null;

  @Field(() => String, { nullable: true, description: 'What buckets depend on instead of the salt of the list.' })
  salt?: string | null;

  @Field(() => String, { nullable: true, description: 'distinct_id when absent; props.<key> or context.<key>.' })
  bucketBy?: string | null;
}

@ArgsType()
export class AudienceSizeArgs extends EnvironmentInput {
  @Field(() => [AudienceRuleInput])
  rules!: AudienceRuleInput[];

  @Field(() => String, { nullable: true, description: 'Key of the flag or item that the rules are of.' })
  salt?: string | null;
}

@ObjectType({ description: 'Stored persons of one rule.' })
class AudienceRuleSize {
  @Field(() => Int, { description: 'Whom the rule covers, whatever stands before it.' })
  covered!: number;

  @Field(() => Int, { description: 'Whom it covers and no rule before it.' })
  decided!: number;
}

@ObjectType({ description: 'How many stored persons rules cover.' })
export class AudienceSize {
  @Field(() => Int, { description: 'Whom at least one rule covers.' })
  persons!: number;

  @Field(() => Int, { description: 'All stored persons of the environment.' })
  total!: number;

  @Field(() => [AudienceRuleSize], { description: 'In the order of the rules.' })
  rules!: readonly AudienceRuleSize[];

  @Field(() => Boolean, { description: 'Whether numbers were reckoned from a sample.' })
  isEstimate!: boolean;

  @Field(() => Int, { description: '`persons` is off by more once in twenty times; 0 when they were counted.' })
  margin!: number;

  @Field(() => [String], {
    description:
      'Attributes that only a request says: conditions on them were taken to hold, so there may be fewer persons.',
  })
  assumed!: readonly string[];
}
