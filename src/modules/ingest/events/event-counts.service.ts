import type { Context } from '../../../kernel/context.js';
import { storableText } from '../../../kernel/text.js';
import type { AnalyticsReader } from '../../../storage/analytics/analytics-reader.js';
import type { ClickHouse } from '../../../storage/analytics/clickhouse.js';
import { earliestReceipt, intervalsBetween } from '../hours/count-intervals.js';
import { countedHours } from '../hours/counted-hours.js';
import type { EventCountsArgs } from '../ingest.inputs.js';
import { authorizeSearch } from '../searched-texts.js';
import type { EventCounts } from './event-counts.js';
import { EVENT_TABLE } from './event-dataset.js';

/** Start of an interval in Unix milliseconds, and how many events are in it; intervals without events are left out. */
type Counted = Map<number, number>;

export class EventCountsService {
  constructor(private readonly analytics: AnalyticsReader) {}

  /**
   * Events by interval, including those without any; counted in the analytics store if it can answer, else in PostgreSQL, with the same
   * result. Fails like {@link authorizeSearch} and with `bad_time_range`, `too_many_intervals`.
   */
  async count(ctx: Context, query: EventCountsArgs): Promise<EventCounts> {
    const project = await authorizeSearch(ctx, 'event.view', query.projectId, [query.eventName]);
    const starts = intervalsBetween(query.from, query.to, query.interval);
    const request = {
      ...query,
      projectId: project.id,
      eventName: query.eventName ? storableText(query.eventName) : null,
    };
    const copied = await this.analytics.read((store) => countInClickHouse(store, request));
    const { value: counted, asOf } = copied ?? { asOf: ctx.now(), value: await countedHours(ctx, request) };
    const intervals = starts.map((at) => ({ at: new Date(at), count: counted.get(at) ?? 0 }));
    return { intervals, total: intervals.reduce((sum, { count }) => sum + count, 0), asOf };
  }
}

/** FINAL drops rows that were copied twice. */
async function countInClickHouse(store: ClickHouse, query: EventCountsArgs): Promise<Counted> {
  const { projectId, environment, eventName, from, to, interval } = query;
  const rows = await store.rows<{ at: number | string; count: number | string }>(
    `SELECT toUnixTimestamp(toDateTime(dateTrunc({interval:String}, occurred_at, 'UTC'), 'UTC')) AS at, count() AS count
       FROM ${EVENT_TABLE} FINAL
      WHERE project_id = {project:UUID} AND environment = {environment:String}
        AND received_at >= fromUnixTimestamp64Milli({received:Int64}, 'UTC')
        AND occurred_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        AND occurred_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
        ${eventName === null ? '' : 'AND event_name = {event:String}'}
      GROUP BY at`,
    {
      interval,
      project: projectId,
      environment,
      received: earliestReceipt(from).getTime(),
      from: from.getTime(),
      to: to.getTime(),
      ...(eventName === null ? {} : { event: eventName }),
    },
  );
  return new Map(rows.map(({ at, count }) => [Number(at) * 1000, Number(count)]));
}
