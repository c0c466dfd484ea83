import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import type { SurveyResults } from './pulse.results.js';
import { type AnswerCount, averageOf, type NpsResult, npsResult, questionResult } from './question-results.js';
import type { SurveyService } from './survey.service.js';
import { SurveyQuestion } from './survey-question.entity.js';

export interface ResultsQuery {
  surveyId: string;
  environment: Environment;
  /** By `submitted_at`, both included. */
  from?: Date | null;
  to?: Date | null;
}

const RESPONSES = `r.survey_id = ? and r.environment = ? and (?::timestamptz is null or r.submitted_at >= ?)
   and (?::timestamptz is null or r.submitted_at <= ?)`;

const DAYS = `
select to_char(r.submitted_at at time zone 'UTC', 'YYYY-MM-DD') as day, r.score, count(*)::int as count
  from survey_response r where ${RESPONSES} group by 1, 2 order by 1`;

const ANSWERED = `
select a.question_id as "questionId", count(*)::int as answered
  from survey_response r join survey_answer a on a.response_id = r.id where ${RESPONSES} group by 1`;

/** Texts are not distributed, so they are not read. */
const VALUES = `
select a.question_id as "questionId", to_char(r.submitted_at at time zone 'UTC', 'YYYY-MM-DD') as day, e.value, count(*)::int as count
  from survey_response r
  join survey_answer a on a.response_id = r.id
  join survey_question q on q.survey_id = r.survey_id and q.id = a.question_id and q.kind <> 'text'
 cross join lateral jsonb_array_elements(case jsonb_typeof(a.value) when 'array' then a.value else jsonb_build_array(a.value) end) e
 where ${RESPONSES} group by 1, 2, 3`;

interface DayRow {
  day: string;
  score: number | null;
  count: number;
}

interface ValueRow extends AnswerCount {
  questionId: string;
  day: string;
}

/** Results of surveys: NPS, averages, distributions, and how they went over time. */
export class ResultService {
  constructor(private readonly surveys: SurveyService) {}

  /** Fails with `survey_not_found`. */
  async results(ctx: Context, query: ResultsQuery): Promise<SurveyResults> {
    const { survey } = await this.surveys.visible(ctx, 'pulse.response.view', query.surveyId);
    const { environment, from = null, to = null } = query;
    const values = [survey.id, environment, from, from, to, to];
    const questions = await ctx.em.find(
      SurveyQuestion,
      { surveyId: survey.id },
      { orderBy: { orderIndex: 'asc', id: 'asc' } },
    );
    const days = await ctx.em.execute<DayRow[]>(DAYS, values);
    const answered = await ctx.em.execute<{ questionId: string; answered: number }[]>(ANSWERED, values);
    const given = await ctx.em.execute<ValueRow[]>(VALUES, values);
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
          questionId: question.id,
          prompt: question.prompt,
          kind: question.kind,
          removed: question.removedAt !== null,
          ...questionResult(question, merged(givenBy.get(question.id) ?? []), answeredBy.get(question.id) ?? 0),
        })),
      overTime: overTime(days, nps === undefined ? null : npsAnswers),
    };
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
