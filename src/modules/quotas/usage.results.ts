import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { enumType } from '../../kernel/values/enum-type.js';
import { Edge } from '../access/graph/edge.js';
import { Project } from '../access/projects/project.entity.js';
import { METERS, type Meter, PLANS, type Plan } from './limits.js';

export const PlanType = enumType('Plan', PLANS);
const MeterType = enumType('Meter', METERS);

@ObjectType({ description: 'Usage of one monthly quota; only the live environment counts.' })
export class MeterUsage {
  @Field(() => MeterType)
  meter!: Meter;

  @Field(() => Float, { deprecationReason: 'Use `used`.' })
  @Field(() => GraphQLBigInt, { name: 'used', description: 'How much was used this month.' })
  current!: number;

  @Field(() => Float, { nullable: true, description: 'Null is unlimited.', deprecationReason: 'Use `quota`.' })
  @Field(() => GraphQLBigInt, { name: 'quota', nullable: true, description: 'Monthly limit; null is unlimited.' })
  limit!: number | null;

  @Field(() => Date, { description: 'The first instant of the next month, UTC.' })
  resetsAt!: Date;
}

@ObjectType({ description: "Limits set by operators that override the plan's; null means the plan's own." })
export class PlanOverrides {
  @Field(() => GraphQLBigInt, { nullable: true })
  events!: number | null;

  @Field(() => GraphQLBigInt, { nullable: true })
  decisions!: number | null;

  @Field(() => GraphQLBigInt, { nullable: true })
  responses!: number | null;

  @Field(() => GraphQLBigInt, { nullable: true })
  symbolBytes!: number | null;
}

@ObjectType()
export class ProjectUsage {
  @Field(() => ID)
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => PlanType)
  plan!: Plan;

  @Field(() => PlanOverrides)
  overrides!: PlanOverrides;

  @Field(() => [MeterUsage])
  meters!: MeterUsage[];

  @Field(() => Float, {
    nullable: true,
    description: 'Null is unlimited.',
    deprecationReason: 'Use `symbolBytesQuota`.',
  })
  @Field(() => GraphQLBigInt, {
    name: 'symbolBytesQuota',
    nullable: true,
    description: 'Maximum bytes of symbol files; null is unlimited.',
  })
  symbolBytesLimit!: number | null;

  @Field(() => Int)
  retentionDays!: number;
}
