import { GraphQLJSONObject } from 'graphql-scalars';
import { Arg, Args, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { connectionOf, type Page, PageArgs } from '../../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { DeleteRespondentInput, SurveyResponsesArgs, SurveyResultsArgs } from '../pulse.inputs.js';
import { DeletedRespondent, SurveyRespondent, SurveyResponseAnswer, SurveyResults } from '../pulse.results.js';
import type { ResultService } from '../results/result.service.js';
import { Survey } from '../surveys/survey.entity.js';
import { answerLoader, responseLoader } from '../surveys/survey-loaders.js';
import type { RespondentService } from './respondent.service.js';
import type { ResponseService } from './response.service.js';
import { SurveyResponse } from './survey-response.entity.js';

const SurveyResponseConnection = connectionOf(SurveyResponse, 'SurveyResponse');

@Resolver(() => SurveyResponse)
export class ResponsesResolver {
  constructor(
    private readonly responses: ResponseService,
    private readonly results: ResultService,
    private readonly respondents: RespondentService,
  ) {}

  @Query(() => SurveyResponseConnection, { description: 'Responses of a survey, newest first.' })
  surveyResponses(
    @VerbContext() ctx: Context,
    @Args(() => SurveyResponsesArgs) args: SurveyResponsesArgs,
  ): Promise<Page<SurveyResponse>> {
    return this.responses.list(ctx, args.surveyId, args.filter ?? {}, args);
  }

  @Query(() => SurveyResults, { description: 'NPS, averages, distributions, and how they went over time.' })
  surveyResults(
    @VerbContext() ctx: Context,
    @Args(() => SurveyResultsArgs) args: SurveyResultsArgs,
  ): Promise<SurveyResults> {
    return this.results.results(ctx, args);
  }

  @FieldResolver(() => SurveyRespondent)
  respondent(@VerbContext() ctx: Context, @Root() response: SurveyResponse): Promise<SurveyRespondent> {
    return this.responses.respondent(ctx, response);
  }

  @FieldResolver(() => GraphQLJSONObject, {
    description: 'As the client sent it; addresses in it are redacted below Editor.',
  })
  context(@VerbContext() ctx: Context, @Root() response: SurveyResponse): Promise<Record<string, unknown>> {
    return this.responses.freeValue(ctx, response, response.context);
  }

  @FieldResolver(() => String, { nullable: true, description: 'As the client sent it.' })
  distributionId(@VerbContext() ctx: Context, @Root() response: SurveyResponse): Promise<string | null> {
    return this.responses.freeValue(ctx, response, response.distributionId);
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
        questionId,
        value: await this.responses.freeValue(ctx, response, value),
      })),
    );
  }

  @Mutation(() => DeletedRespondent, {
    description: "Erases a person's answers in all surveys of the project, for good.",
  })
  deleteRespondent(
    @VerbContext() ctx: Context,
    @Arg('input', () => DeleteRespondentInput) input: DeleteRespondentInput,
  ): Promise<DeletedRespondent> {
    return this.respondents.erase(ctx, input);
  }
}

@Resolver(() => Survey)
export class SurveyResponsesField {
  @FieldResolver(() => SurveyResponseConnection, { description: 'Newest first.' })
  responses(
    @Root() survey: Survey,
    @Operation() operation: OperationContext,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<SurveyResponse>> {
    return responseLoader(operation).load({ surveyId: survey.id, first: page.first, after: page.after ?? null });
  }
}
