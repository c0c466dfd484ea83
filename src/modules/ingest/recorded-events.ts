import type { Context } from '../../kernel/context.js';

/** Something that happened inside the product and belongs among a project's events; it is not metered. */
export interface RecordedEvent {
  /** UUID version 7; an event that comes again under its id is stored once. */
  id: string;
  projectId: string;
  environment: string;
  eventName: string;
  distinctId: string;
  occurredAt: Date;
  properties: Record<string, unknown>;
}

/** Stores events in the caller's transaction. */
export async function recordEvents(ctx: Context, events: readonly RecordedEvent[]): Promise<void> {
  const rows = events.map((event) => ({
    id: event.id,
    project_id: event.projectId,
    environment: event.environment,
    event_name: event.eventName,
    distinct_id: event.distinctId,
    occurred_at: event.occurredAt,
    properties: event.properties,
  }));
  await ctx.em.execute(
    `insert into event (id, project_id, environment, event_name, distinct_id, occurred_at, properties)
     select r.* from jsonb_to_recordset(?::jsonb) as r(id uuid, project_id uuid, environment text, event_name text,
       distinct_id text, occurred_at timestamptz, properties json)
      where not exists (
        select 1 from event e where e.project_id = r.project_id and e.environment = r.environment and e.id = r.id
      )`,
    [JSON.stringify(rows)],
  );
}
