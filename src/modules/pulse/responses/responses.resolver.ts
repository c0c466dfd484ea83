import { GraphQLURL } from 'graphql-scalars';
import { Arg, Args, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { connectionOf, type Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { ListField } from '../../access/graph/list-fields.js';
import { DeleteRespondentInput, DownloadResponsesArgs, ResultsArgs } from '../pulse.inputs.js';
import {
  DeletedRespondent,
  SurveyQuestionResults,
  SurveyRespondent,
  SurveyResponseAnswer,
  SurveyResults,
} from '../pulse.results.js';
import type { ResultService } from '../results/result.service.js';
import { Survey } from '../surveys/survey.entity.js';
import { SurveyDistribution } from '../surveys/survey-distribution.entity.js';
import { answerLoader, anyQuestionLoader, attributionLoader } from '../surveys/survey-loaders.js';
import { SurveyQuestion } from '../surveys/survey-question.entity.js';
import type { ExportService } from './export.service.js';
import type { RespondentService } from './respondent.service.js';
import type { ResponseService } from './response.service.js';
import { SurveyResponseListArgs } from './response-lists.js';
import { SurveyResponse } from './survey-response.entity.js';

export const SurveyResponseConnection = connectionOf(SurveyResponse, 'SurveyResponse');

@Resolver(() => SurveyResponse)
export class ResponsesResolver {
  constructor(
    private readonly responses: ResponseService,
    private readonly results: ResultService,
    private readonly respondents: RespondentService,
  ) {}

  @Query(() => SurveyResponseConnection, { description: 'Responses of a survey, newest first.' })
  surveyResponses(
    @Operation() operation: OperationContext,
    @Arg('surveyId', () => ID) surveyId: string,
    @Args() args: SurveyResponseListArgs,
  ): Promise<Page<SurveyResponse>> {
    return this.responses.list(operation, surveyId, args);
  }

  @Query(() => SurveyResponse)
  surveyResponse(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<SurveyResponse> {
    return this.responses.get(ctx, id);
  }

  @Query(() => SurveyResults, { description: 'NPS, averages, distributions, and their development over time.' })
  surveyResults(
    @VerbContext() ctx: Context,
    @Arg('surveyId', () => ID) surveyId: string,
    @Args() args: ResultsArgs,
  ): Promise<SurveyResults> {
    return this.results.results(ctx, { surveyId, ...args });
  }

  @FieldResolver(() => SurveyRespondent)
  respondent(@VerbContext() ctx: Context, @Root() response: SurveyResponse): Promise<SurveyRespondent> {
    return this.responses.respondent(ctx, response);
  }

  @FieldResolver(() => SurveyDistribution, { nullable: true, description: 'The id of `attributedTo`.' })
  async distribution(
    @Root() { attributedTo }: SurveyResponse,
    @Operation() operation: OperationContext,
  ): Promise<SurveyDistribution | null> {
    return attributedTo === null ? null : attributionLoader(operation).load(attributedTo);
  }

  @FieldResolver(() => [SurveyResponseAnswer])
  async answers(
    @VerbContext() ctx: Context,
    @Root() response: SurveyResponse,
    @Operation() operation: OperationContext,
  ): Promise<SurveyResponseAnswer[]> {
    const answers = await answerLoader(operation).load(response.id);
    return Promise.all(
      answers.map(async ({ questionId, value }) => ({
        surveyId: response.surveyId,
        questionId,
        value: await this.responses.freeValue(ctx, response, value),
      })),
    );
  }

  @Mutation(() => DeletedRespondent, {
    description: "Permanently erases a person's answers in all surveys of the project.",
  })
  deleteRespondent(
    @VerbContext() ctx: Context,
    @Arg('input') input: DeleteRespondentInput,
  ): Promise<DeletedRespondent> {
    return this.respondents.erase(ctx, input);
  }
}

@Resolver(() => Survey)
export class SurveyResponsesField {
  constructor(
    private readonly responseService: ResponseService,
    private readonly resultService: ResultService,
    private readonly exports: ExportService,
  ) {}

  @FieldResolver(() => GraphQLURL, {
    nullable: true,
    description:
      'A link that downloads all responses, valid for five minutes for anyone who has it. It includes email addresses if you are at least an Editor.',
  })
  responsesDownloadUrl(
    @VerbContext() ctx: Context,
    @Root() survey: Survey,
    @Args() { format, environment }: DownloadResponsesArgs,
  ): Promise<string | null> {
    return this.exports.linkTo(ctx, survey, format, environment);
  }

  @ListField(() => SurveyResponseConnection, SurveyResponseListArgs, { description: 'Newest first.' })
  responses(operation: OperationContext, survey: Survey, args: SurveyResponseListArgs): Promise<Page<SurveyResponse>> {
    return this.responseService.ofSurvey(operation, survey, args);
  }

  @FieldResolver(() => SurveyResults, { nullable: true, description: 'The results of its responses.' })
  results(
    @Root() survey: Survey,
    @Operation() operation: OperationContext,
    @Args() args: ResultsArgs,
  ): Promise<SurveyResults> {
    return this.resultService.ofSurvey(operation, survey, args);
  }
}

@Resolver(() => SurveyResponseAnswer)
export class AnswerQuestionField {
  @FieldResolver(() => SurveyQuestion, { nullable: true })
  question(
    @Root() answer: SurveyResponseAnswer,
    @Operation() operation: OperationContext,
  ): Promise<SurveyQuestion | null> {
    return anyQuestionLoader(operation).load(answer);
  }
}

@Resolver(() => SurveyQuestionResults)
export class ResultsQuestionField {
  @FieldResolver(() => SurveyQuestion, { nullable: true })
  question(
    @Root() results: SurveyQuestionResults,
    @Operation() operation: OperationContext,
  ): Promise<SurveyQuestion | null> {
    return anyQuestionLoader(operation).load(results);
  }
}
