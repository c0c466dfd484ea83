import type { Pool } from 'pg';
import type { AnalyticsDataset, DatasetPage, Selection } from '../../../storage/analytics/analytics-dataset.js';
import { copiedTime } from '../../../storage/analytics/copied-time.js';
import { knownPlaces } from '../hours/known-places.sql.js';

/** Name of the dataset in the notes about stored and erased rows. */
export const EVENT_DATASET = 'event';
export const EVENT_TABLE = 'quarterdeck_event';

/**
 * Partitions follow the time of receipt, which the server sets: clients' clocks would create partitions for every month in history, and
 * events are retained by their receipt. The dashboard queries one environment, often one event, over a time range: that is the sort order,
 * and the id in it makes a row that was copied twice one row.
 */
const CREATE = `
CREATE TABLE IF NOT EXISTS ${EVENT_TABLE} (
  project_id UUID,
  environment LowCardinality(String),
  event_name LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  id UUID,
  distinct_id String CODEC(ZSTD),
  properties String CODEC(ZSTD),
  INDEX distinct_id_bloom distinct_id TYPE bloom_filter GRANULARITY 4
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_at)
ORDER BY (project_id, environment, event_name, occurred_at, id)`;

const PAGE_BYTES = 16 * 1024 * 1024;
/** Larger properties aren't copied: one such row would fill an insert. */
const LARGEST_PROPERTIES = 1024 * 1024;

const LINES = `
select id, line, candidates from (
  select id, line, sum(octet_length(line)) over (order by id) - octet_length(line) as bytes_before, count(*) over () as candidates
    from (
      select id, json_build_object(
          'id', id, 'project_id', project_id, 'environment', environment, 'event_name', event_name, 'distinct_id', distinct_id,
          'occurred_at', ${copiedTime('occurred_at')},
          'received_at', ${copiedTime(`to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`)},
          'properties', case when octet_length(properties) > ${LARGEST_PROPERTIES} then '{}' else properties end
        )::text as line
        from (select id, project_id, environment, event_name, distinct_id, occurred_at, properties::text as properties
                from event where WHERE order by id limit $1) e
    ) l
  ) page where bytes_before < ${PAGE_BYTES} order by id`;

const NOTE_ALL = `
${knownPlaces('event')}
insert into analytics_addition (dataset, project_id, environment, low, high, amount, created_at)
select '${EVENT_DATASET}', project_id, environment, 0, 281474976710654, 0, '-infinity' from known`;

interface LineRow {
  id: string;
  line: string;
  candidates: string;
}

/** The events of all projects, for their copy in the analytics store. */
export class EventDataset implements AnalyticsDataset {
  readonly name = EVENT_DATASET;
  readonly table = EVENT_TABLE;
  readonly create = CREATE;
  readonly idType = 'UUID';

  constructor(private readonly pool: Pool) {}

  async read(selection: Selection, after: string | null, limit: number): Promise<DatasetPage> {
    const [condition, values] = conditionOf(selection);
    const position = values.length + 2;
    const { rows } = await this.pool.query<LineRow>(
      LINES.replace('WHERE', () => `${condition} and id > $${position}`),
      [limit, ...values, after ?? NO_ID],
    );
    const candidates = Number(rows[0]?.candidates ?? 0);
    return {
      lines: rows.map(({ line }) => line),
      last: rows.at(-1)?.id ?? null,
      isLast: candidates < limit && rows.length === candidates,
    };
  }

  async noteAll(): Promise<void> {
    await this.pool.query(NOTE_ALL);
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

function conditionOf(selection: Selection): [sql: string, values: unknown[]] {
  switch (selection.kind) {
    case 'span':
      return [
        'project_id = $2 and environment = $3 and id >= $4 and id < $5',
        [selection.projectId, selection.environment, selection.from, selection.to],
      ];
    case 'people':
      return [
        'project_id = $2 and environment = $3 and distinct_id = any($4)',
        [selection.projectId, selection.environment, selection.distinctIds],
      ];
    default:
      throw new Error(`events cannot be selected by ${selection.kind}`);
  }
}
