import type { Context } from '../../../kernel/context.js';
import { loadAlike } from '../../../kernel/lists/grouped-reads.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { AnalyticsReader } from '../../../storage/analytics/analytics-reader.js';
import { authorize } from '../../access/guard.js';
import type { ResultsArgs } from '../pulse.inputs.js';
import type { NpsSummary, SurveyResults } from '../pulse.results.js';
import type { Survey } from '../surveys/survey.entity.js';
import type { SurveyService } from '../surveys/survey.service.js';
import { SurveyQuestion } from '../surveys/survey-question.entity.js';
import { type AnswerCount, averageOf, npsResult, questionResult } from './question-results.js';
import {
  countInClickHouse,
  countInPostgres,
  type DayRow,
  isCountable,
  type ResultCounts,
  type ValueRow,
} from './result-counts.js';

/** Results of surveys: NPS, averages, distributions, and their development over time. */
export class ResultService {
  constructor(
    private readonly surveys: SurveyService,
    private readonly analytics: AnalyticsReader,
  ) {}

  /** Counted in the analytics store if it can answer, else in PostgreSQL. Fails with `survey_not_found`. */
  async results(ctx: Context, { surveyId, ...query }: ResultsArgs & { surveyId: string }): Promise<SurveyResults> {
    const survey = await this.surveys.rows.get(ctx, 'pulse.response.view', surveyId);
    const [results] = await this.ofSurveys(ctx, [survey.id], query);
    return results as SurveyResults;
  }

  /**
   * Like {@link results}, for a survey that the caller has been shown; all surveys of a level with the same arguments are counted together.
   */
  async ofSurvey(
    operation: OperationContext,
    { id, projectId }: Survey,
    { environment, from, to }: ResultsArgs,
  ): Promise<SurveyResults> {
    await authorize(operation.current, 'pulse.response.view', projectId);
    const query = { environment, from: from ?? null, to: to ?? null };
    return loadAlike(operation, RESULTS, id, query, (ids) => this.ofSurveys(operation.current, ids, query));
  }

  private async ofSurveys(ctx: Context, surveyIds: readonly string[], query: ResultsArgs): Promise<SurveyResults[]> {
    const questions = await ctx.em.find(
      SurveyQuestion,
      { surveyId: { $in: [...surveyIds] } },
      { orderBy: { orderIndex: 'asc', id: 'asc' } },
    );
    const bySurvey = Map.groupBy(questions, ({ surveyId }) => surveyId);
    const { counts, asOf } = await this.count(ctx, surveyIds, query);
    return surveyIds.map((surveyId) => ({
      surveyId,
      environment: query.environment,
      ...resultsOf(bySurvey.get(surveyId) ?? [], counts.get(surveyId) ?? NOTHING),
      asOf,
    }));
  }

  private async count(
    ctx: Context,
    surveyIds: readonly string[],
    query: ResultsArgs,
  ): Promise<{ counts: Map<string, ResultCounts>; asOf: Date }> {
    const copied = isCountable(query)
      ? await this.analytics.read((store) => countInClickHouse(store, surveyIds, query))
      : null;
    return copied
      ? { counts: copied.value, asOf: copied.asOf }
      : { asOf: ctx.now(), counts: await countInPostgres(ctx, surveyIds, query) };
  }
}

const RESULTS = Symbol('results of surveys');

const NOTHING: ResultCounts = { days: [], answered: [], given: [] };

function resultsOf(
  questions: readonly SurveyQuestion[],
  { days, answered, given }: ResultCounts,
): Omit<SurveyResults, 'surveyId' | 'environment' | 'asOf'> {
  const answeredBy = new Map(answered.map((row) => [row.questionId, row.answered]));
  const givenBy = Map.groupBy(given, ({ questionId }) => questionId);
  const nps = questions.find(({ kind, removedAt }) => kind === 'nps' && removedAt === null);
  const npsAnswers = nps === undefined ? [] : (givenBy.get(nps.id) ?? []);
  return {
    responses: total(days),
    averageScore: averageOf(scores(days)),
    nps: nps === undefined ? null : npsResult(npsAnswers),
    questions: questions
      .filter(({ id, removedAt }) => removedAt === null || answeredBy.has(id))
      .map((question) => ({
        surveyId: question.surveyId,
        questionId: question.id,
        prompt: question.prompt,
        kind: question.kind,
        removed: question.removedAt !== null,
        ...questionResult(question, merged(givenBy.get(question.id) ?? []), answeredBy.get(question.id) ?? 0),
      })),
    overTime: overTime(days, nps === undefined ? null : npsAnswers),
  };
}

const total = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const scores = (rows: readonly DayRow[]): AnswerCount[] =>
  rows.flatMap(({ score, count }) => (score === null ? [] : [{ value: score, count }]));

function merged(rows: readonly ValueRow[]): AnswerCount[] {
  const byValue = Map.groupBy(rows, ({ value }) => value);
  return [...byValue].map(([value, counts]) => ({ value, count: total(counts) }));
}

function overTime(days: readonly DayRow[], npsAnswers: readonly ValueRow[] | null): SurveyResults['overTime'] {
  const npsByDay = Map.groupBy(npsAnswers ?? [], ({ day }) => day);
  const nps = (day: string): NpsSummary | null => (npsAnswers === null ? null : npsResult(npsByDay.get(day) ?? []));
  return [...Map.groupBy(days, ({ day }) => day)].map(([day, rows]) => ({
    day,
    date: day,
    responses: total(rows),
    averageScore: averageOf(scores(rows)),
    nps: nps(day),
  }));
}
