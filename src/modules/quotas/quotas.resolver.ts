import { Arg, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { Project } from '../access/projects/project.entity.js';
import type { QuotaService } from './quota.service.js';
import { SetProjectPlanInput } from './quotas.inputs.js';
import { ProjectUsage } from './usage.results.js';

@Resolver()
export class QuotasResolver {
  constructor(private readonly quotas: QuotaService) {}

  @Query(() => ProjectUsage, { description: "The project's usage this month, with limits and reset time." })
  usage(@VerbContext() ctx: Context, @Arg('projectId', () => ID) projectId: string): Promise<ProjectUsage> {
    return this.quotas.usage(ctx, projectId);
  }

  @Mutation(() => ProjectUsage)
  setProjectPlan(@VerbContext() ctx: Context, @Arg('input') input: SetProjectPlanInput): Promise<ProjectUsage> {
    return this.quotas.setPlan(ctx, input);
  }
}

@Resolver(() => Project)
export class ProjectUsageResolver {
  constructor(private readonly quotas: QuotaService) {}

  @FieldResolver(() => ProjectUsage, { description: 'Usage this month, with limits and reset time.' })
  usage(@Operation() operation: OperationContext, @Root() { id }: Project): Promise<ProjectUsage> {
    return this.quotas.usageIn(operation, id);
  }
}
