import type { Context } from '../../../kernel/context.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { ClickHouse } from '../../../storage/analytics/clickhouse.js';
import type { ResultsArgs } from '../pulse.inputs.js';
import type { AnswerCount } from './question-results.js';
import { countsOf } from './response-counts.js';
import { RESPONSE_TABLE } from './response-dataset.js';

export interface DayRow {
  day: string;
  score: number | null;
  count: number;
}

export interface ValueRow extends AnswerCount {
  questionId: string;
  /** Null if the days aren't requested. */
  day: string | null;
}

/** The counts behind a survey's results, computed where the responses are stored. */
export interface ResultCounts {
  days: DayRow[];
  answered: { questionId: string; answered: number }[];
  given: ValueRow[];
}

const rowsOf = (query: string): string => `(select coalesce(json_agg(counted), '[]') from (${query}) counted)`;

/**
 * $1 surveys, $2 environment, $3 and $4 the requested time, $5 to $6 the whole days within it. Responses are read if they aren't counted
 * yet, and for the days that the requested time cuts.
 */
const COUNTS = `
with live as materialized (
  select r.* from unnest($1::text[]) as s(id) cross join lateral (
    select r.id, r.survey_id, r.environment, r.submitted_at, r.score
      from survey_response_uncounted u join survey_response r on r.id = u.response_id
     where u.survey_id = s.id and u.environment = $2 and r.submitted_at >= $3 and r.submitted_at <= $4
    union
    select r.id, r.survey_id, r.environment, r.submitted_at, r.score from survey_response r
     where r.survey_id = s.id and r.environment = $2 and r.submitted_at >= $3 and r.submitted_at < $5 and r.submitted_at <= $4
    union
    select r.id, r.survey_id, r.environment, r.submitted_at, r.score from survey_response r
     where r.survey_id = s.id and r.environment = $2 and r.submitted_at >= $6 and r.submitted_at <= $4) r
), counted as materialized (
  select survey_id, day, counts, question_id, value, count from survey_count
   where survey_id = any($1) and environment = $2
     and day >= ($5::timestamptz at time zone 'UTC')::date and day < ($6::timestamptz at time zone 'UTC')::date
  union all
  select survey_id, day, counts, question_id, value, count from (${countsOf('live')}) of_live
)
select s.id,
       ${rowsOf(`
         select to_char(day, 'YYYY-MM-DD') as day, nullif(value, '')::int as score, sum(count)::int as count
           from counted where survey_id = s.id and counts = 'response' group by 1, 2 order by 1`)} as days,
       ${rowsOf(`
         select question_id as "questionId", sum(count)::int as answered
           from counted where survey_id = s.id and counts = 'answer' group by 1`)} as answered,
       ${rowsOf(`
         select c.question_id as "questionId", case q.kind when 'nps' then to_char(c.day, 'YYYY-MM-DD') end as day,
                c.value::jsonb as value, sum(c.count)::int as count
           from counted c join survey_question q on q.survey_id = c.survey_id and q.id = c.question_id
          where c.survey_id = s.id and c.counts = 'value' group by 1, 2, c.value`)} as given
  from unnest($1::text[]) as s(id)`;

/** The counts of surveys by their ids, in one statement. */
export async function countInPostgres(
  ctx: Context,
  surveyIds: readonly string[],
  { environment, from = null, to = null }: ResultsArgs,
): Promise<Map<string, ResultCounts>> {
  const firstDay = from && Math.ceil(from.getTime() / DAY_MS) * DAY_MS;
  // The end is inclusive, and times are in milliseconds.
  const endDay = to && Math.floor((to.getTime() + 1) / DAY_MS) * DAY_MS;
  const end = firstDay !== null && endDay !== null ? Math.max(firstDay, endDay) : endDay;
  const rows = await ctx.rows<ResultCounts & { id: string }>({ name: 'survey_results', text: COUNTS }, [
    [...surveyIds],
    environment,
    from ?? '-infinity',
    to ?? 'infinity',
    firstDay === null ? '-infinity' : new Date(firstDay),
    end === null ? 'infinity' : new Date(end),
  ]);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Times before this day and after the last are clamped in the copy, so it can distinguish rows only between them. */
const FIRST_MS = Date.UTC(1900, 0, 2);
const LAST_MS = Date.UTC(2299, 11, 30);

/** Whether the copy can tell which responses are in the requested time. */
export const isCountable = ({ from, to }: ResultsArgs): boolean =>
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
  { environment, from, to }: ResultsArgs,
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
