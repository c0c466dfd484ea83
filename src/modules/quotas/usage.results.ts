import { GraphQLBigInt } from 'graphql-scalars';
import { Field, FieldResolver, Float, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
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
  current!: number;

  @Field(() => Float, { nullable: true, description: 'Null is unlimited.', deprecationReason: 'Use `quota`.' })
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
  symbolBytesLimit!: number | null;

  @Field(() => Int)
  retentionDays!: number;
}

@Resolver(() => MeterUsage)
export class MeterUsageFields {
  @FieldResolver(() => GraphQLBigInt, { description: 'How much was used this month.' })
  used(@Root() { current }: MeterUsage): number {
    return current;
  }

  @FieldResolver(() => GraphQLBigInt, {
    nullable: true,
    description: 'Monthly limit; null is unlimited.',
  })
  quota(@Root() { limit }: MeterUsage): number | null {
    return limit;
  }
}

@Resolver(() => ProjectUsage)
export class ProjectUsageFields {
  @FieldResolver(() => GraphQLBigInt, {
    nullable: true,
    description: 'Maximum bytes of symbol files; null is unlimited.',
  })
  symbolBytesQuota(@Root() { symbolBytesLimit }: ProjectUsage): number | null {
    return symbolBytesLimit;
  }
}
