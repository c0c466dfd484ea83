import type { Context } from '../../../kernel/context.js';
import { timeOfUuid } from '../../../kernel/ids.js';
import { storableText } from '../../../kernel/text.js';
import { earliestReceipt, intervalsBetween } from '../hours/count-intervals.js';
import { hoursToRead, type Span, stretchesOfNames } from '../hours/hours-of-name.js';
import type { EventBreakdownArgs } from '../ingest.inputs.js';
import { authorizeSearch } from '../searched-texts.js';
import type { EventBreakdown } from './event-breakdown.js';

const MOST_READ = 10_000;
/** Bytes of stored properties, of one event and of all together: finding one property means reading the others. */
const MOST_BYTES = { ofOne: 64 * 1024, together: 16 * 1024 * 1024 };
const MOST_VALUES = 20;
/** No event is received later. */
const LAST = new Date(Date.UTC(9999, 11, 31));

const PLAIN = `select id, event_name, occurred_at, properties from event
  where project_id = $1 and environment = $2 and id >= event_id_floor($8)`;

/** Hours of receipt known to contain events of the name, in index order; see `sourceOf` of the list of events. */
const OF_HOURS = `select x.* from unnest($9::timestamptz[], $10::timestamptz[]) as s(starts, ends) cross join lateral (
  select id, event_name, occurred_at, properties from event where project_id = $1 and environment = $2
     and id >= event_id_floor(greatest(s.starts, $8)) and id < event_id_floor(s.ends) order by id offset 0) x`;

const statement = (source: string): string => `
with found as (
  select id, occurred_at, properties, pg_column_size(properties) as bytes from (${source}) e
   where event_name = $3 and occurred_at >= $5 and occurred_at < $6 order by id desc limit ${MOST_READ + 1}
), readable as (
  select id, occurred_at, properties, sum(bytes) over (order by id desc) as together from found where bytes <= ${MOST_BYTES.ofOne}
), newest as (
  select id, occurred_at, left(properties ->> $4, 200) as value from readable
   where together <= ${MOST_BYTES.together} order by id desc limit ${MOST_READ}
), ranked as (
  select value, dense_rank() over (order by count desc, value) as rank, count(*) over () as kinds
    from (select value, count(*) as count from newest group by value) c
), facts as (
  select (select count(*) from found) as found, (select min(id::text) from newest) as oldest
)
select case when rank <= ${MOST_VALUES} then rank end::int as rank, case when rank <= ${MOST_VALUES} then r.value end as value,
       (extract(epoch from date_trunc($7, occurred_at, 'UTC')) * 1000)::float8 as at, count(n.id)::int as count,
       max(kinds)::int as kinds, max(facts.found)::int as found,
       max(facts.oldest) as oldest
  from facts left join (newest n join ranked r on coalesce(r.value, '') = coalesce(n.value, '') and (r.value is null) = (n.value is null)) on true
 group by 1, 2, 3`;

interface Row {
  /** Null for all that aren't among the most frequent. */
  rank: number | null;
  value: string | null;
  at: number;
  count: number;
  kinds: number | null;
  found: number;
  /** Id of the oldest event read. */
  oldest: string | null;
}

export class EventBreakdownService {
  /**
   * The newest events of a name by the values of a property and by interval. Fails like {@link authorizeSearch} and with `bad_time_range`,
   * `too_many_intervals`.
   */
  async breakDown(ctx: Context, query: EventBreakdownArgs): Promise<EventBreakdown> {
    const project = await authorizeSearch(ctx, 'event.view', query.projectId, [query.eventName, query.property]);
    const starts = intervalsBetween(query.from, query.to, query.interval);
    const { environment, from, to, interval } = query;
    const [eventName, property] = [storableText(query.eventName), storableText(query.property)];
    const received = new Date(Math.max(0, earliestReceipt(from).getTime()));
    const span = { from: received, before: LAST };
    const stretches = await stretchesOfNames(
      ctx,
      { projectId: project.id, environment, eventNames: [eventName] },
      span,
    );
    const hours = hoursToRead(stretches, { size: MOST_READ }, span)?.page;
    const values = [project.id, environment, eventName, property, from, to, interval, received];
    const instants = (which: keyof Span) => hours?.map((hour) => hour[which]);
    const rows = await ctx.rows<Row>(
      hours ? { text: statement(OF_HOURS) } : { text: statement(PLAIN) },
      hours ? [...values, instants('from'), instants('before')] : values,
    );
    return breakdownOf(project.id, starts, rows);
  }
}

function breakdownOf(projectId: string, starts: readonly number[], rows: readonly Row[]): EventBreakdown {
  const named = rows.filter(({ rank }) => rank !== null);
  const byRank = Map.groupBy(named, ({ rank }) => rank ?? 0);
  const sumOf = (some: readonly Row[]): number => some.reduce((sum, { count }) => sum + count, 0);
  const [first] = rows;
  const read = sumOf(rows);
  return {
    intervals: starts.map((at) => new Date(at)),
    values: [...byRank]
      .sort(([a], [b]) => a - b)
      .map(([, some]) => ({
        projectId,
        value: some[0]?.value ?? null,
        count: sumOf(some),
        counts: starts.map((start) => sumOf(some.filter(({ at }) => at === start))),
      })),
    others: read - sumOf(named),
    otherValues: Math.max(0, (first?.kinds ?? 0) - byRank.size),
    read,
    isWhole: (first?.found ?? 0) <= read,
    since: first?.oldest ? timeOfUuid(first.oldest) : null,
  };
}
