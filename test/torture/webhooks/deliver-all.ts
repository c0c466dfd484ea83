import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Brings every retry forward and waits until nothing is left to fan out or deliver. */
export async function deliverAll(database: pg.Client): Promise<void> {
  for (let tries = 0; tries < 1_500; tries++) {
    await database.query('update webhook_queue set due_at = now() where due_at > now()');
    const { rows } = await database.query<{ left: boolean }>(
      `select exists (select from webhook_queue) or exists (select from event_log where dispatched_at is null) as left`,
    );
    if (rows[0]?.left !== true) return;
    await sleep(200);
  }
  throw new Error('deliveries did not come to an end within five minutes');
}
