import type { Context } from '../context.js';

/**
 * Everybody who uses a table waits behind a statement that waits for its exclusive lock. Shorter than PostgreSQL's
 * `deadlock_timeout` of a second, so that in a deadlock the change of the schema gives way and never a request.
 */
export const LOCK_TIMEOUT_MS = 400;

/** Lets the rest of the transaction fail with SQLSTATE 55P03 where it would wait longer for a lock. */
export async function limitLockWaits(ctx: Context): Promise<void> {
  await ctx.em.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
}
