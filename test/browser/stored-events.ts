import type { World } from '../support/factories/factories.js';
import type { TestApp } from '../support/test-app.js';

/** A project's events in order, with the property `n` of each. */
export async function storedEvents(
  { app }: TestApp,
  { projectId }: World,
): Promise<{ name: string; id: string; n: number }[]> {
  const { rows } = await app.pool.query(
    "select event_name as name, distinct_id as id, (properties->>'n')::int as n from event where project_id = $1 order by event.id",
    [projectId],
  );
  return rows;
}
