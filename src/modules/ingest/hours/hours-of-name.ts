import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { HOUR_MS, MINUTE_MS } from '../../../kernel/values/durations.js';

/** Times of receipt, start inclusive, end exclusive. */
export interface Span {
  from: Date;
  before: Date;
}

/** An hour of receipt, or several, with how many events of some names are in it. */
export interface Stretch extends Span {
  /** Null if nothing is counted, so that the events themselves must be read. */
  count: number | null;
  /** The minutes of the hour in which they were received, one bit each, lowest first; null if any may be. */
  minutes: bigint | null;
  /** Whether the hours before it are counted, so that it is no longer than the uncounted ones. */
  isCounted: boolean;
}

/** $1 project, $2 environment, $3 names, $4 and $5 the time of receipt. */
const HOURS = {
  name: 'hours_of_event_names',
  text: `
with place as (
  select coalesce((select counted_to from event_hours where project_id = $1 and environment = $2), '-infinity') as counted_to
), noted as (
  select distinct received from event_hour_note, place where project_id = $1 and environment = $2 and received < counted_to
)
select received, count::float8, minutes::text from (
  select received, sum(count) as count, case when bool_and(minutes is not null) then bit_or(minutes) end as minutes from event_hour
   where project_id = $1 and environment = $2 and event_name = any($3) and received not in (select received from noted) group by received
  union all
  select received, null, null from noted
  union all
  select counted_to, null, null from place
) hours
 where received = (select counted_to from place) or (received < $5 and received + interval '1 hour' > $4)
 order by received desc`,
};

interface HourRow {
  /** pg returns numbers for infinite instants: nothing is counted yet. */
  received: Date | number;
  count: number | null;
  minutes: string | null;
}

/**
 * Where events of some names can be, within times of receipt, newest first: the uncounted part, and the hours known to contain some. Names
 * that don't occur have only the first stretch.
 */
export async function stretchesOfNames(
  ctx: Context,
  place: ProjectEnvironment & { eventNames: readonly string[] },
  { from, before }: Span,
): Promise<Stretch[]> {
  const values = [place.projectId, place.environment, place.eventNames, from, before];
  const rows = await ctx.rows<HourRow>(HOURS, values);
  const starts = rows.map(({ received }) => (received instanceof Date ? received.getTime() : Number.NEGATIVE_INFINITY));
  return rows.flatMap(({ count, minutes }, index) => {
    const [start, countedTo] = [starts[index], starts[0]] as [number, number];
    const counts = Math.min(start + HOUR_MS, countedTo);
    const end = index === 0 ? before.getTime() : Math.min(counts, before.getTime());
    const cut = Math.max(start, from.getTime());
    const isWhole = cut === start && end === counts;
    const counted = isWhole
      ? { count, minutes: minutes === null ? null : BigInt(minutes) }
      : { count: null, minutes: null };
    const stretch = { from: new Date(cut), before: new Date(end), ...counted };
    return cut < end ? [{ ...stretch, isCounted: Number.isFinite(start) }] : [];
  });
}

/** The hours that a page and its total are read from. */
export interface HoursToRead {
  /** In the order of the stretches. */
  page: readonly Span[];
  /** Those with uncounted events. */
  uncounted: readonly Span[];
  /** Events in all the others. */
  counted: number;
}

/** Names that fill a page from so few hours are found at once in the order of all events. */
const FREQUENT = 2;

/**
 * Chooses hours for a page of rare names, for the newest or oldest events within a span; null for frequent names, and if nothing is
 * counted.
 */
export function hoursToRead(
  stretches: readonly Stretch[],
  { size, isOldest = false }: { size: number; isOldest?: boolean },
  within: Span,
): HoursToRead | null {
  if (stretches.some(({ isCounted }) => !isCounted)) return null;
  const candidates = stretches.filter(({ from, before }) => from < within.before && before > within.from);
  const page: Stretch[] = [];
  let known = 0;
  for (const stretch of isOldest ? [...candidates].reverse() : candidates) {
    if (known > size) break;
    page.push(stretch);
    const isWhole = stretch.from >= within.from && stretch.before <= within.before;
    known += isWhole ? (stretch.count ?? 0) : 0;
  }
  if (page.length <= FREQUENT && page.length < candidates.length) return null;
  const counted = stretches.reduce((sum, { count }) => sum + (count ?? 0), 0);
  return { page: page.flatMap(minutesOf), uncounted: stretches.filter(({ count }) => count === null), counted };
}

/** The runs of minutes in a stretch that contain events of the names. */
function minutesOf(stretch: Stretch): Span[] {
  const { minutes } = stretch;
  if (minutes === null) return [stretch];
  const runs: Span[] = [];
  const at = (minute: number): Date => new Date(stretch.from.getTime() + minute * MINUTE_MS);
  for (let minute = 0, start = -1; minute <= 60; minute += 1) {
    const isIn = ((minutes >> BigInt(minute)) & 1n) === 1n;
    if (isIn && start < 0) start = minute;
    if (isIn || start < 0) continue;
    runs.push({ from: at(start), before: at(minute) });
    start = -1;
  }
  return runs;
}
