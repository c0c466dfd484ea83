import { Max, Min } from 'class-validator';
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { textArray } from '../../../kernel/database/text-array.js';
import { loadAlike } from '../../../kernel/lists/grouped-reads.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { OperationContext } from '../../../kernel/verb-context.js';

const MOST_DAYS = 90;
/** Maximum events that one statement reads, for all issues together. */
const MOST_EVENTS = 100_000;

@ArgsType()
export class IssueActivityArgs {
  @Field(() => Int, { defaultValue: 14, description: 'UTC days up to and including today, 90 at most.' })
  @Min(1)
  @Max(MOST_DAYS)
  days!: number;
}

@ObjectType({ description: 'How often an issue happened recently, and to how many persons.' })
export class CrashIssueActivity {
  @Field(() => Date, { description: 'Start of the first day.' })
  from!: Date;

  @Field(() => [Int], { description: 'Events per UTC day, ending with today.' })
  days!: number[];

  @Field(() => Int, { description: 'Distinct ids of persons in its events.' })
  people!: number;

  @Field(() => Boolean, { description: 'There were too many events to read all of them; only the newest are counted.' })
  isEstimate!: boolean;
}

interface Row {
  id: string;
  counts: Record<string, number> | null;
  people: number;
  read: number;
}

const ACTIVITY = Symbol('activity of issues');

/** The activity of an issue and of those merged into it; the issues of a level are read in one statement for each number of days. */
export const activityOf = (operation: OperationContext, issueId: string, days: number): Promise<CrashIssueActivity> =>
  loadAlike(operation, ACTIVITY, issueId, days, (ids) => readActivity(operation, ids, days));

async function readActivity(
  { current }: OperationContext,
  ids: readonly string[],
  days: number,
): Promise<CrashIssueActivity[]> {
  const today = Math.floor(current.now().getTime() / DAY_MS) * DAY_MS;
  const from = new Date(today - (days - 1) * DAY_MS);
  const most = Math.floor(MOST_EVENTS / ids.length);
  const rows = await current.em.execute<Row[]>(
    `select i.id, activity.* from unnest(?::text[]) as i(id) cross join lateral (
       with seen as materialized (
         select floor(extract(epoch from received_at - ?::timestamptz) / 86400)::int as day, distinct_id from crash_event
          where issue_id in (select id from crash_issue where id = i.id or merged_into_id = i.id) and received_at >= ?::timestamptz
          order by received_at desc limit ?)
       select (select jsonb_object_agg(day, events) from (select day, count(*) as events from seen group by day) by_day) as counts,
              (select count(distinct distinct_id)::int from seen) as people, (select count(*)::int from seen) as read) activity`,
    [textArray(ids), from, from, most],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((issueId) => {
    const { counts, people, read } = byId.get(issueId) as Row;
    return {
      from,
      days: Array.from({ length: days }, (_, day) => counts?.[day] ?? 0),
      people,
      isEstimate: read >= most,
    };
  });
}
