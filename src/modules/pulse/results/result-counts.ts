import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import type { ClickHouse } from '../../../storage/analytics/clickhouse.js';
import type { AnswerCount } from './question-results.js';
import { RESPONSE_TABLE } from './response-dataset.js';

/** Of which responses results are made. */
export interface ResultsQuery {
  environment: Environment;
  /** By `submitted_at`, both included. */
  from?: Date | null;
  to?: Date | null;
}

export interface DayRow {
  day: string;
  score: number | null;
  count: number;
}

export interface ValueRow extends AnswerCount {
  questionId: string;
  day: string;
}

/** What the results of a survey are made of, counted where the responses are. */
export interface ResultCounts {
  days: DayRow[];
  answered: { questionId: string; answered: number }[];
  given: ValueRow[];
}

const RESPONSES = `r.survey_id = s.id and r.environment = ? and (?::timestamptz is null or r.submitted_at >= ?)
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

const rowsOf = (query: string): string => `(select coalesce(json_agg(counted), '[]') from (${query}) counted)`;

const COUNTS = `
select s.id, ${rowsOf(DAYS)} as days, ${rowsOf(ANSWERED)} as answered, ${rowsOf(VALUES)} as given
  from unnest(array[?]::text[]) as s(id)`;

/** The counts of surveys by their ids, in one statement. */
export async function countInPostgres(
  ctx: Context,
  surveyIds: readonly string[],
  { environment, from = null, to = null }: ResultsQuery,
): Promise<Map<string, ResultCounts>> {
  const values = [environment, from, from, to, to];
  const rows = await ctx.em.execute<(ResultCounts & { id: string })[]>(COUNTS, [
    ...values,
    ...values,
    ...values,
    [...surveyIds],
  ]);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Times before this day and after the last are cut in the copy, so only between them it can tell rows apart. */
const FIRST_MS = Date.UTC(1900, 0, 2);
const LAST_MS = Date.UTC(2299, 11, 30);

/** Whether the copy can tell which responses lie in the time asked for. */
export const isCountable = ({ from, to }: ResultsQuery): boolean =>
  [from, to].every((instant) => !instant || (instant.getTime() >= FIRST_MS && instant.getTime() <= LAST_MS));

const milli = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
const COPIED = (from: boolean, to: boolean): string =>
  `survey_id IN {surveys:Array(String)} AND environment = {environment:String}${
    from ? ` AND submitted_at >= ${milli('from')}` : ''
  }${to ? ` AND submitted_at <= ${milli('to')}` : ''}`;

/** The same counts from the copy; FINAL drops rows that were copied twice. */
export async function countInClickHouse(
  store: ClickHouse,
  surveyIds: readonly string[],
  { environment, from, to }: ResultsQuery,
): Promise<Map<string, ResultCounts>> {
  const where = COPIED(Boolean(from), Boolean(to));
  const parameters = {
    surveys: [...surveyIds],
    environment,
    ...(from ? { from: from.getTime() } : {}),
    ...(to ? { to: to.getTime() } : {}),
  };
  const rows = store.rows.bind(store);
  const days = await rows<{ survey: string; day: string; score: number | null; n: number | string }>(
    `SELECT survey_id AS survey, day, score, count() AS n FROM ${RESPONSE_TABLE} FINAL WHERE ${where} GROUP BY survey, day, score ORDER BY day`,
    parameters,
  );
  const answered = await rows<{ survey: string; question: string; n: number | string }>(
    `SELECT survey_id AS survey, question, count() AS n
       FROM ${RESPONSE_TABLE} FINAL ARRAY JOIN question_ids AS question WHERE ${where} GROUP BY survey, question`,
    parameters,
  );
  const given = await rows<{ survey: string; question: string; day: string; value: string; n: number | string }>(
    `SELECT survey_id AS survey, question, day, arrayJoin(given) AS value, count() AS n
       FROM ${RESPONSE_TABLE} FINAL ARRAY JOIN question_ids AS question, answer_values AS given
      WHERE ${where} GROUP BY survey, question, day, value`,
    parameters,
  );
  const of = <T extends { survey: string }>(all: readonly T[], id: string): T[] =>
    all.filter(({ survey }) => survey === id);
  return new Map(
    surveyIds.map((id) => [
      id,
      {
        days: of(days, id).map(({ day, score, n }) => ({ day, score, count: Number(n) })),
        answered: of(answered, id).map(({ question, n }) => ({ questionId: question, answered: Number(n) })),
        given: of(given, id).map(({ question, day, value, n }) => ({
          questionId: question,
          day,
          value: JSON.parse(value) as AnswerCount['value'],
          count: Number(n),
        })),
      },
    ]),
  );
}
