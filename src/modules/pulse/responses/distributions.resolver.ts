import { Arg, Args, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { type Deletion, deletionOf } from '../../../kernel/node.js';
import { connectionOf, type Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import type { Action } from '../../access/actions.js';
import { ListField } from '../../access/graph/list-fields.js';
import { ActionType, type NodeKind } from '../../access/graph/node.js';
import { IdInput } from '../../access/ids.inputs.js';
import { actionsWith, loadOnce } from '../../access/visible-node.js';
import { CreateDistributionInput, UpdateDistributionInput } from '../pulse.inputs.js';
import { Survey } from '../surveys/survey.entity.js';
import { SurveyDistribution } from '../surveys/survey-distribution.entity.js';
import type { DistributionService } from './distribution.service.js';
import type { ResponseService } from './response.service.js';
import { DISTRIBUTION_RESPONSES, SurveyDistributionsArgs, SurveyResponseListArgs } from './response-lists.js';
import { SurveyResponseConnection } from './responses.resolver.js';
import type { SurveyResponse } from './survey-response.entity.js';

const DistributionConnection = connectionOf(SurveyDistribution, 'SurveyDistribution');

const KIND = { view: 'pulse.survey.view', actions: ['pulse.survey.change'] } as const satisfies NodeKind<Survey>;

const DeletedDistribution = deletionOf('DeletedDistribution');

@Resolver(() => SurveyDistribution)
export class DistributionsResolver {
  constructor(
    private readonly distributions: DistributionService,
    private readonly responseService: ResponseService,
  ) {}

  @FieldResolver(() => [ActionType], { description: 'What you may do with it.' })
  async viewerCan(@VerbContext() ctx: Context, @Root() { surveyId }: SurveyDistribution): Promise<readonly Action[]> {
    const survey = await loadOnce(ctx, Survey, surveyId);
    return survey ? actionsWith(ctx, KIND as NodeKind<object>, survey) : [];
  }

  @ListField(() => SurveyResponseConnection, SurveyResponseListArgs, {
    nullable: true,
    description: 'Responses attributed to it, newest first.',
  })
  async responses(
    operation: OperationContext,
    { id, surveyId }: SurveyDistribution,
    args: SurveyResponseListArgs,
  ): Promise<Page<SurveyResponse> | null> {
    const survey = await loadOnce(operation.current, Survey, surveyId);
    if (!survey) return null;
    const owner = { id, projectId: survey.projectId };
    return this.responseService.ofOwner(operation, DISTRIBUTION_RESPONSES, owner, args);
  }

  @Query(() => DistributionConnection, { description: 'Distributions of a survey, oldest first.' })
  surveyDistributions(
    @Operation() operation: OperationContext,
    @Args() args: SurveyDistributionsArgs,
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
    @Arg('input') input: CreateDistributionInput,
  ): Promise<SurveyDistribution> {
    return this.distributions.create(ctx, input);
  }

  @Mutation(() => SurveyDistribution)
  updateDistribution(
    @VerbContext() ctx: Context,
    @Arg('input') input: UpdateDistributionInput,
  ): Promise<SurveyDistribution> {
    return this.distributions.rename(ctx, input);
  }

  @Mutation(() => DeletedDistribution, { description: 'Its responses stay.' })
  deleteDistribution(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.distributions.delete(ctx, input.id);
  }
}
