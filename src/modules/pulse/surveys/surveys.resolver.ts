import { Arg, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf, type Page } from '../../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf, inBulk } from '../../../kernel/refusal.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { ListField, ProjectList } from '../../access/graph/list-fields.js';
import { ReadsAlong } from '../../access/graph/read-along.js';
import { IdInput, IdsInput } from '../../access/ids.inputs.js';
import { Project } from '../../access/projects/project.entity.js';
import { CreateSurveyInput, UpdateSurveyInput } from '../pulse.inputs.js';
import { Survey } from './survey.entity.js';
import type { SurveyService } from './survey.service.js';
import { SurveyDistribution } from './survey-distribution.entity.js';
import type { SurveyLifecycleService } from './survey-lifecycle.service.js';
import { SURVEY_VERSIONS, SurveyListArgs, SurveyVersionListArgs } from './survey-lists.js';
import { anyQuestionLoader, distributionLoader, questionLoader } from './survey-loaders.js';
import { BranchingRule } from './survey-parts.js';
import { SurveyQuestion } from './survey-question.entity.js';
import { SurveyVersion } from './survey-version.entity.js';

const SurveyConnection = connectionOf(Survey, 'Survey');
const SurveyVersionConnection = connectionOf(SurveyVersion, 'SurveyVersion');
const SurveyBulkAnswer = bulkAnswerOf(Survey, 'Survey');

@Resolver(() => Survey)
export class SurveysResolver {
  constructor(
    private readonly editing: SurveyService,
    private readonly lifecycle: SurveyLifecycleService,
  ) {}

  @Query(() => Survey)
  survey(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Survey> {
    return this.editing.get(ctx, id);
  }

  @Query(() => Survey)
  surveyBySlug(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('slug') slug: string,
  ): Promise<Survey> {
    return this.editing.getBySlug(ctx, projectId, slug);
  }

  @ReadsAlong(SURVEY_VERSIONS, 'pulse.survey.view')
  @ListField(() => SurveyVersionConnection, SurveyVersionListArgs, { description: 'Newest first.' })
  versions(operation: OperationContext, survey: Survey, args: ListArgs): Promise<Page<SurveyVersion>> {
    return this.editing.versions(operation, survey, args);
  }

  @FieldResolver(() => [SurveyQuestion], { description: 'In their order.' })
  questions(@Root() survey: Survey, @Operation() operation: OperationContext): Promise<SurveyQuestion[]> {
    return questionLoader(operation).load(survey.id);
  }

  @FieldResolver()
  branchingRules(@Root() { id, branchingRules }: Survey): BranchingRule[] {
    return branchingRules.map((rule) => ({ ...rule, surveyId: id }));
  }

  @FieldResolver(() => [SurveyDistribution], { description: 'Oldest first.' })
  distributions(@Root() survey: Survey, @Operation() operation: OperationContext): Promise<SurveyDistribution[]> {
    return distributionLoader(operation).load(survey.id);
  }

  @Mutation(() => Survey, {
    description: 'Creates a draft. Predicates are parsed; an invalid one is rejected with its position.',
  })
  createSurvey(@VerbContext() ctx: Context, @Arg('input') input: CreateSurveyInput): Promise<Survey> {
    return this.editing.create(ctx, input);
  }

  @Mutation(() => Survey)
  updateSurvey(@VerbContext() ctx: Context, @Arg('input') input: UpdateSurveyInput): Promise<Survey> {
    return this.editing.update(ctx, input);
  }

  @Mutation(() => Survey, { description: 'From draft or closed; the survey needs a question.' })
  publishSurvey(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'publish', input.id);
  }

  @Mutation(() => Survey)
  closeSurvey(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'close', input.id);
  }

  @Mutation(() => Survey)
  archiveSurvey(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'archive', input.id);
  }

  @Mutation(() => Survey, { description: 'Back to draft.' })
  unarchiveSurvey(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Survey> {
    return this.lifecycle.move(ctx, 'unarchive', input.id);
  }

  @Mutation(() => [SurveyBulkAnswer], { description: 'In one transaction; rejected surveys are reported one by one.' })
  archiveSurveys(@VerbContext() ctx: Context, @Arg('input') { ids }: IdsInput): Promise<BulkAnswer<Survey>[]> {
    return inBulk(ids, (id) => this.lifecycle.move(ctx, 'archive', id));
  }
}

@Resolver(() => Project)
export class ProjectSurveysResolver {
  constructor(private readonly surveyService: SurveyService) {}

  @ProjectList(() => SurveyConnection, SurveyListArgs, { query: 'Surveys of a project, oldest first.' })
  surveys(operation: OperationContext, projectId: string, args: SurveyListArgs): Promise<Page<Survey>> {
    return this.surveyService.list(operation, projectId, args);
  }
}

@Resolver(() => BranchingRule)
export class BranchingRuleFields {
  @FieldResolver(() => SurveyQuestion, { nullable: true })
  async fromQuestion(
    @Root() { surveyId, fromQuestionId }: BranchingRule,
    @Operation() operation: OperationContext,
  ): Promise<SurveyQuestion | null> {
    return surveyId ? anyQuestionLoader(operation).load({ surveyId, questionId: fromQuestionId }) : null;
  }

  @FieldResolver(() => SurveyQuestion, { nullable: true, description: 'Null if the rule ends the survey.' })
  async toQuestion(
    @Root() { surveyId, toQuestionId }: BranchingRule,
    @Operation() operation: OperationContext,
  ): Promise<SurveyQuestion | null> {
    return surveyId && toQuestionId ? anyQuestionLoader(operation).load({ surveyId, questionId: toQuestionId }) : null;
  }
}
