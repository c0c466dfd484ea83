import type { Context } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { ErasedPerson } from '../../../kernel/erased-ids.js';
import { erasureJson, NOTE_ERASURE } from '../../../storage/analytics/analytics-notes.js';
import { NOTE_HOURS } from '../hours/hour-notes.js';
import { EVENT_DATASET } from './event-dataset.js';
import { MONTHS_BEING_DROPPED } from './event-partitions.js';

/** The events to check: from an id, the first one if null, up to the newest when the person was deleted. */
export interface EventErasure {
  from: string | null;
  /** Null if there was no event. Later ones belong to someone who reused the id. */
  upTo: string | null;
}

/** The id of an environment's newest event, null if there is none. */
export async function newestEvent(ctx: Context, { projectId, environment }: ErasedPerson): Promise<string | null> {
  const [newest] = await ctx.em.execute<{ id: string }[]>(
    'select id from event where project_id = ? and environment = ? order by id desc limit 1',
    [projectId, environment],
  );
  return newest?.id ?? null;
}

/**
 * Deletes a person's events of one month, which is one partition with an index that finds them. Returns where to continue, null when all
 * are gone; then the analytics store is told, so that it copies none of them afterwards.
 */
export async function eraseFromEvents(
  ctx: Context,
  { projectId, environment, ids }: ErasedPerson,
  { from, upTo }: EventErasure,
): Promise<EventErasure | null> {
  const place = [projectId, environment];
  // On every turn, so that none is missed while it is detached from `event` and reattached afterwards.
  for (const { name } of await ctx.em.execute<{ name: string }[]>(MONTHS_BEING_DROPPED))
    await ctx.em.execute(
      `delete from ${name} where project_id = ? and environment = ? and distinct_id = any(?::text[])`,
      [...place, textArray(ids)],
    );
  const [month] = await ctx.em.execute<{ first: string; next: string }[]>(
    `select id as first, event_id_floor((date_trunc('month', event_id_hour(id) at time zone 'UTC') + interval '1 month') at time zone 'UTC') as next
       from event where project_id = ? and environment = ? and (?::uuid is null or id >= ?::uuid) and id <= ?::uuid
      order by id limit 1`,
    [...place, from, from, upTo],
  );
  if (month === undefined) {
    const before =
      upTo === null ? {} : { before: new Date(Number.parseInt(upTo.slice(0, 8) + upTo.slice(9, 13), 16) + 1) };
    const scope = { dataset: EVENT_DATASET, projectId, environment, distinctIds: ids };
    await ctx.em.execute(NOTE_ERASURE, [erasureJson({ ...scope, ...before })]);
    return null;
  }
  await ctx.em.execute(
    `with gone as (
       delete from event where project_id = ? and environment = ? and id >= ?::uuid and id < ?::uuid and id <= ?::uuid
          and distinct_id = any(?::text[]) returning *
     ) ${NOTE_HOURS}`,
    [...place, month.first, month.next, upTo, textArray(ids)],
  );
  return { from: month.next, upTo };
}
