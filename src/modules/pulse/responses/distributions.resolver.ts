import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { connectionOf, type Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { IdInput } from '../../access/access.inputs.js';
import { CreateDistributionInput, UpdateDistributionInput } from '../pulse.inputs.js';
import { DeletedDistribution } from '../pulse.results.js';
import type { DistributionService } from './distribution.service.js';
import { SurveyDistributionsArgs } from './response-lists.js';
import { SurveyDistribution } from './survey-distribution.entity.js';

const DistributionConnection = connectionOf(SurveyDistribution, 'SurveyDistribution');

@Resolver()
export class DistributionsResolver {
  constructor(private readonly distributions: DistributionService) {}

  @Query(() => DistributionConnection, { description: 'Distributions of a survey, oldest first.' })
  surveyDistributions(
    @Operation() operation: OperationContext,
    @Args(() => SurveyDistributionsArgs) args: SurveyDistributionsArgs,
  ): Promise<Page<SurveyDistribution>> {
    return this.distributions.list(operation, args);
  }

  @Query(() => SurveyDistribution)
  surveyDistribution(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<SurveyDistribution> {
    return this.distributions.get(ctx, id);
  }

  @Mutation(() => SurveyDistribution)
  createDistribution(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateDistributionInput) input: CreateDistributionInput,
  ): Promise<SurveyDistribution> {
    return this.distributions.create(ctx, input);
  }

  @Mutation(() => SurveyDistribution)
  updateDistribution(
    @VerbContext() ctx: Context,
    @Arg('input', () => UpdateDistributionInput) input: UpdateDistributionInput,
  ): Promise<SurveyDistribution> {
    return this.distributions.rename(ctx, input);
  }

  @Mutation(() => DeletedDistribution, { description: 'Responses that came from it stay.' })
  deleteDistribution(
    @VerbContext() ctx: Context,
    @Arg('input', () => IdInput) input: IdInput,
  ): Promise<DeletedDistribution> {
    return this.distributions.delete(ctx, input.id);
  }
}
