import type { Context } from '../../../kernel/context.js';
import type { AnalyticsReader } from '../../../storage/analytics/analytics-reader.js';
import type { SurveyResults } from '../pulse.results.js';
import { SurveyQuestion } from '../questions/survey-question.entity.js';
import type { SurveyService } from '../surveys/survey.service.js';
import { type AnswerCount, averageOf, type NpsResult, npsResult, questionResult } from './question-results.js';
import {
  countInClickHouse,
  countInPostgres,
  type DayRow,
  isCountable,
  type ResultCounts,
  type ResultsQuery,
  type ValueRow,
} from './result-counts.js';

/** Results of surveys: NPS, averages, distributions, and how they went over time. */
export class ResultService {
  constructor(
    private readonly surveys: SurveyService,
    private readonly analytics: AnalyticsReader,
  ) {}

  /** Counted in the analytics store when it can answer, else in PostgreSQL. Fails with `survey_not_found`. */
  async results(ctx: Context, query: ResultsQuery): Promise<SurveyResults> {
    const { survey } = await this.surveys.visible(ctx, 'pulse.response.view', query.surveyId);
    const { environment } = query;
    const questions = await ctx.em.find(
      SurveyQuestion,
      { surveyId: survey.id },
      { orderBy: { orderIndex: 'asc', id: 'asc' } },
    );
    const { counts, asOf } = await this.count(ctx, { ...query, surveyId: survey.id });
    const { days, answered, given } = counts;
    const answeredBy = new Map(answered.map((row) => [row.questionId, row.answered]));
    const givenBy = Map.groupBy(given, ({ questionId }) => questionId);
    const nps = questions.find(({ kind, removedAt }) => kind === 'nps' && removedAt === null);
    const npsAnswers = nps === undefined ? [] : (givenBy.get(nps.id) ?? []);
    return {
      surveyId: survey.id,
      environment,
      responses: total(days),
      averageScore: averageOf(scores(days)),
      nps: nps === undefined ? null : npsResult(npsAnswers),
      questions: questions
        .filter(({ id, removedAt }) => removedAt === null || answeredBy.has(id))
        .map((question) => ({
          surveyId: survey.id,
          questionId: question.id,
          prompt: question.prompt,
          kind: question.kind,
          removed: question.removedAt !== null,
          ...questionResult(question, merged(givenBy.get(question.id) ?? []), answeredBy.get(question.id) ?? 0),
        })),
      overTime: overTime(days, nps === undefined ? null : npsAnswers),
      asOf,
    };
  }

  private async count(ctx: Context, query: ResultsQuery): Promise<{ counts: ResultCounts; asOf: Date }> {
    const copied = isCountable(query) ? await this.analytics.read((store) => countInClickHouse(store, query)) : null;
    return copied
      ? { counts: copied.value, asOf: copied.asOf }
      : { asOf: ctx.now(), counts: await countInPostgres(ctx, query) };
  }
}

const total = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

const scores = (rows: readonly DayRow[]): AnswerCount[] =>
  rows.flatMap(({ score, count }) => (score === null ? [] : [{ value: score, count }]));

/** The counts of all days together. */
function merged(rows: readonly ValueRow[]): AnswerCount[] {
  const byValue = Map.groupBy(rows, ({ value }) => value);
  return [...byValue].map(([value, counts]) => ({ value, count: total(counts) }));
}

function overTime(days: readonly DayRow[], npsAnswers: readonly ValueRow[] | null): SurveyResults['overTime'] {
  const npsByDay = Map.groupBy(npsAnswers ?? [], ({ day }) => day);
  const nps = (day: string): NpsResult | null => (npsAnswers === null ? null : npsResult(npsByDay.get(day) ?? []));
  return [...Map.groupBy(days, ({ day }) => day)].map(([day, rows]) => ({
    day,
    responses: total(rows),
    averageScore: averageOf(scores(rows)),
    nps: nps(day),
  }));
}
