import type { RowTail } from '../../../events/row-tail.js';
import type { Context } from '../../../kernel/context.js';
import { timeOfUuid } from '../../../kernel/ids.js';
import { erasureJson, NOTE_ERASURE, noteSpansSql } from '../../../storage/analytics/analytics-notes.js';
import { EVENT_DATASET } from '../events/event-dataset.js';
import { MONTHS_BEING_DROPPED } from '../events/event-partitions.js';
import { eventPlace } from '../events/live-events.js';
import { NOTE_HOURS } from '../hours/hour-notes.js';

/** Something that happened inside the product and is recorded among a project's events; it isn't metered. */
export interface RecordedEvent {
  /** UUID version 7; an event repeated with its id is stored once. */
  id: string;
  projectId: string;
  environment: string;
  eventName: string;
  distinctId: string;
  occurredAt: Date;
  properties: Record<string, unknown>;
}

/** Stores events in the caller's transaction, and notifies listeners after it. */
export async function recordEvents(ctx: Context, events: readonly RecordedEvent[], tail: RowTail): Promise<void> {
  const stored = await ctx.em.execute<{ id: string }[]>(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select r.* from jsonb_to_recordset(?::jsonb) as r(id uuid, "projectId" uuid, environment text, "eventName" text,
       "distinctId" text, "occurredAt" timestamptz, properties json)
      where not exists (
        select 1 from event e where e.project_id = r."projectId" and e.environment = r.environment and e.id = r.id
      ) returning id`,
    [JSON.stringify(events)],
  );
  const spans = events.map(({ id, projectId, environment }) => {
    const at = timeOfUuid(id).getTime();
    return { dataset: EVENT_DATASET, projectId, environment, low: at, high: at, amount: 1 };
  });
  if (spans.length > 0) await ctx.em.execute(noteSpansSql(spans));
  const ids = new Set(stored.map(({ id }) => id));
  ctx.afterCommit(() => {
    for (const { id, projectId, environment } of events)
      if (ids.has(id)) tail.stored(eventPlace(projectId, environment), [id], 1);
  });
}

/**
 * Erases events of a project by their ids in the caller's transaction, in any environment, including those in detached months that may be
 * reattached.
 */
export async function eraseRecordedEvents(ctx: Context, projectId: string, ids: readonly string[]): Promise<void> {
  for (const { name } of await ctx.em.execute<{ name: string }[]>(MONTHS_BEING_DROPPED))
    await ctx.em.execute(`delete from ${name} where project_id = ? and id = any(array[?]::uuid[])`, [projectId, ids]);
  await ctx.em.execute(
    `with gone as (
       delete from event where project_id = ? and environment in ('live', 'test') and id = any(array[?]::uuid[]) returning *)
     ${NOTE_HOURS}`,
    [projectId, ids],
  );
  await ctx.em.execute(NOTE_ERASURE, [erasureJson({ dataset: EVENT_DATASET, projectId, ids })]);
}
