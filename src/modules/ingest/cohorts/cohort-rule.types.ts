import { Field, Float, ObjectType } from 'type-graphql';
import { ConditionFields } from '../../../kernel/targeting/condition-fields.js';

@ObjectType()
class CohortCondition extends ConditionFields {}

@ObjectType({ description: 'Persons it covers are in the cohort.' })
export class CohortRule {
  @Field(() => [CohortCondition])
  conditions!: readonly CohortCondition[];

  @Field(() => Float, { description: '0 to 100, in steps of 0.001.' })
  percentage!: number;

  @Field(() => String, { nullable: true, description: "The salt for buckets, instead of the cohort's id." })
  salt?: string;

  @Field(() => String, { nullable: true, description: 'The attribute used for bucketing; defaults to distinct_id.' })
  bucketBy?: string;
}
