import { Field, Float, ObjectType } from 'type-graphql';
import { ConditionFields } from '../../../kernel/targeting/condition-fields.js';

@ObjectType()
class CohortCondition extends ConditionFields {}

@ObjectType({ description: 'Whoever it covers is in the cohort.' })
export class CohortRule {
  @Field(() => [CohortCondition])
  conditions!: readonly CohortCondition[];

  @Field(() => Float, { description: '0 to 100, in steps of 0.001.' })
  percentage!: number;

  @Field(() => String, { nullable: true, description: "What buckets depend on instead of the cohort's id." })
  salt?: string;

  @Field(() => String, { nullable: true, description: 'The attribute whose value has the bucket, if not distinct_id.' })
  bucketBy?: string;
}
