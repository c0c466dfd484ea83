import type { Context } from '../context.js';

/**
 * Every user of a table queues behind a statement that waits for its exclusive lock. Shorter than PostgreSQL's
 * `deadlock_timeout` of a second, so that in a deadlock the schema change gives way, never a request.
 */
export const LOCK_TIMEOUT_MS = 400;

/** Makes the rest of the transaction fail with SQLSTATE 55P03 instead of waiting longer for a lock. */
export async function limitLockWaits(ctx: Context): Promise<void> {
  await ctx.em.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
}
