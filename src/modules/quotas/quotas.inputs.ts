import { Field, Float, ID, InputType } from 'type-graphql';
import type { Plan } from './limits.js';
import { PlanType } from './usage.results.js';

@InputType()
export class PlanOverridesInput {
  @Field(() => Float, { nullable: true })
  events?: number | null;

  @Field(() => Float, { nullable: true })
  decisions?: number | null;

  @Field(() => Float, { nullable: true })
  responses?: number | null;

  @Field(() => Float, { nullable: true })
  symbolBytes?: number | null;
}

@InputType()
export class SetProjectPlanInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => PlanType)
  plan!: Plan;

  @Field(() => PlanOverridesInput, {
    nullable: true,
    description: "Limits that override the plan's; missing ones default to the plan's.",
  })
  overrides?: PlanOverridesInput | null;
}
