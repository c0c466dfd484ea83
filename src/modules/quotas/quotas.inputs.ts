import { Field, Float, InputType } from 'type-graphql';
import { ProjectInput } from '../access/ids.inputs.js';
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
export class SetProjectPlanInput extends ProjectInput {
  @Field(() => PlanType)
  plan!: Plan;

  @Field(() => PlanOverridesInput, {
    nullable: true,
    description: "Limits that override the plan's; missing ones default to the plan's.",
  })
  overrides?: PlanOverridesInput | null;
}
