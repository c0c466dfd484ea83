import type { RestAnswer } from './client.js';
import type { TestApp } from './test-app.js';

/** The part of the halt webhook's answer that tests look at. */
interface HaltedFlag {
  id: string;
  current_version: number;
  halted_at: string | null;
  halt_reason: string | null;
}
export const flagOf = (answer: RestAnswer) => (answer.body as { flag: HaltedFlag }).flag;

/** The events about a flag, oldest first. */
export async function eventsOf({ app }: TestApp, flagId: string) {
  const { rows } = await app.pool.query(
    'select kind, actor_id, actor_email, address, request_id, data, after from event_log where object_id = $1 order by sequence',
    [flagId],
  );
  return rows;
}

/** The versions of a flag, oldest first. */
export async function versionsOf({ app }: TestApp, flagId: string) {
  const { rows } = await app.pool.query(
    'select version_number, action, actor_id, note from flag_version where flag_id = $1 order by version_number',
    [flagId],
  );
  return rows;
}
