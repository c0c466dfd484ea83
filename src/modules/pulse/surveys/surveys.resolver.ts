import { Arg, Args, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { connectionOf, type Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { IdInput } from '../../access/access.inputs.js';
import { CreateDistributionInput, CreateSurveyInput, SurveysArgs, UpdateSurveyInput } from '../pulse.inputs.js';
import { SurveyQuestion } from '../questions/survey-question.entity.js';
import type { DistributionService } from '../responses/distribution.service.js';
import { SurveyDistribution } from '../responses/survey-distribution.entity.js';
import { Survey } from './survey.entity.js';
import type { SurveyService } from './survey.service.js';
import type { SurveyLifecycleService } from './survey-lifecycle.service.js';
import { distributionLoader, questionLoader } from './survey-loaders.js';

const SurveyConnection = connectionOf(Survey, 'Survey');

@Resolver(() => Survey)
export class SurveysResolver {
  constructor(
    private readonly editing: SurveyService,
    private readonly lifecycle: SurveyLifecycleService,
    private readonly mailing: DistributionService,
  ) {}

  @Query(() => SurveyConnection, { description: 'Surveys of a project, oldest first.' })
  surveys(@VerbContext() ctx: Context, @Args(() => SurveysArgs) args: SurveysArgs): Promise<Page<Survey>> {
    return this.editing.list(ctx, args, args);
  }

  @Query(() => Survey)
  survey(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Survey> {
    return this.editing.get(ctx, id);
  }

  @FieldResolver(() => [SurveyQuestion], { description: 'In their order.' })
  questions(@Root() survey: Survey, @Operation() operation: OperationContext): Promise<SurveyQuestion[]> {
    return questionLoader(operation).load(survey.id);
  }

  @FieldResolver(() => [SurveyDistribution], { description: 'Oldest first.' })
  distributions(@Root() survey: Survey, @Operation() operation: OperationContext): Promise<SurveyDistribution[]> {
    return distributionLoader(operation).load(survey.id);
  }

  @Mutation(() => Survey, {
    description: 'A draft; predicates are parsed, and a bad one is refused with its position.',
  })
  createSurvey(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateSurveyInput) input: CreateSurveyInput,
  ): Promise<Survey> {
    return this.editing.create(ctx, input);
  }

  @Mutation(() => Survey)
  updateSurvey(
    @VerbContext() ctx: Context,
    @Arg('input', () => UpdateSurveyInput) input: UpdateSurveyInput,
  ): Promise<Survey> {
    return this.editing.update(ctx, input);
  }

  @Mutation(() => Survey, { description: 'From draft or closed; the survey needs a question.' })
  publishSurvey(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'publish', input.id);
  }

  @Mutation(() => Survey)
  closeSurvey(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'close', input.id);
  }

  @Mutation(() => Survey)
  archiveSurvey(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'archive', input.id);
  }

  @Mutation(() => Survey, { description: 'Back to draft.' })
  unarchiveSurvey(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'unarchive', input.id);
  }

  @Mutation(() => SurveyDistribution)
  createDistribution(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateDistributionInput) input: CreateDistributionInput,
  ): Promise<SurveyDistribution> {
    return this.mailing.create(ctx, input);
  }
}
