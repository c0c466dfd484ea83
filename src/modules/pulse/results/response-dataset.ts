import type { Pool } from 'pg';
import type { AnalyticsDataset, DatasetPage, Selection } from '../../../storage/analytics/analytics-dataset.js';
import { copiedTime } from '../../../storage/analytics/copied-time.js';
import { GIVEN_VALUES } from './response-counts.js';

/** Name of the dataset in the notes about stored and erased rows. */
export const RESPONSE_DATASET = 'survey_response';
export const RESPONSE_TABLE = 'quarterdeck_survey_response';

/**
 * A response is one row with its answers, so that it is stored and erased as a whole. The respondent and free text aren't copied: the
 * dashboard adds up the rest. The day is computed by PostgreSQL, because times here range only from 1900 to 2299.
 */
const CREATE = `
CREATE TABLE IF NOT EXISTS ${RESPONSE_TABLE} (
  project_id UUID,
  survey_id LowCardinality(String),
  environment LowCardinality(String),
  submitted_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  day LowCardinality(String),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  id String,
  survey_version UInt32,
  score Nullable(Int32),
  question_ids Array(LowCardinality(String)),
  answer_values Array(Array(String)) CODEC(ZSTD)
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (survey_id, environment, submitted_at, id)`;

const LINES = `
select r.id, json_build_object(
    'id', r.id, 'project_id', r.project_id, 'survey_id', r.survey_id, 'environment', r.environment,
    'submitted_at', ${copiedTime('r.submitted_at')}, 'day', to_char(r.submitted_at at time zone 'UTC', 'YYYY-MM-DD'),
    'received_at', ${copiedTime('r.created_at')}, 'survey_version', r.survey_version, 'score', r.score,
    'question_ids', coalesce(a.question_ids, '[]'), 'answer_values', coalesce(a.answer_values, '[]'))::text as line
  from survey_response r
  left join lateral (
    select json_agg(a.question_id order by a.question_id) as question_ids,
           json_agg(coalesce(v.texts, '[]') order by a.question_id) as answer_values
      from survey_answer a
      left join lateral (
        select json_agg(e.value::text) as texts
          from survey_question q
         cross join lateral ${GIVEN_VALUES} e
         where q.survey_id = r.survey_id and q.id = a.question_id and q.kind <> 'text'
      ) v on true
     where a.response_id = r.id
  ) a on true
 where WHERE order by r.id limit $1`;

/** A response has a few hundred answers at most. */
const PAGE = 2_000;

/** The survey responses of all projects, for their copy in the analytics store. */
export class ResponseDataset implements AnalyticsDataset {
  readonly name = RESPONSE_DATASET;
  readonly table = RESPONSE_TABLE;
  readonly create = CREATE;
  readonly idType = 'String';

  constructor(private readonly pool: Pool) {}

  async read(selection: Selection, after: string | null, limit: number): Promise<DatasetPage> {
    const most = Math.min(limit, PAGE);
    const [condition, values] = conditionOf(selection, after);
    const { rows } = await this.pool.query<{ id: string; line: string }>(
      LINES.replace('WHERE', () => condition),
      [most, ...values],
    );
    return {
      lines: rows.map(({ line }) => line),
      last: rows.at(-1)?.id ?? null,
      isLast: rows.length < most,
    };
  }

  async noteAll(): Promise<void> {
    await this.pool.query(`insert into analytics_addition (dataset, amount, created_at) values ($1, 0, '-infinity')`, [
      RESPONSE_DATASET,
    ]);
  }
}

function conditionOf(selection: Selection, after: string | null): [sql: string, values: unknown[]] {
  switch (selection.kind) {
    case 'ids':
      return ['r.id = any($2) and r.id > $3', [selection.ids, after ?? '']];
    case 'all':
      return ['r.id > $2', [after ?? '']];
    default:
      throw new Error(`responses cannot be selected by ${selection.kind}`);
  }
}
