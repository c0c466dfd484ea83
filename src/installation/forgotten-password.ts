import pg from 'pg';
import type { Env } from '../env.js';
import { EventLog } from '../events/event-log.js';
import { systemClock } from '../kernel/clock.js';
import { systemCaller } from '../kernel/context.js';
import { Transactions } from '../kernel/database/transactions.js';
import { createLogger } from '../kernel/logger.js';
import { HashingLane } from '../modules/access/people/hashing-lane.js';
import { MemberService } from '../modules/access/people/member.service.js';
import { PasswordChecks } from '../modules/access/people/password-checks.js';
import { SignInThrottle } from '../modules/access/people/sign-in-throttle.js';
import { openOrm } from '../orm.js';
import { openSharedState } from '../storage/shared/open-shared-state.js';

/** Sets a new initial password for an account in an organization, and returns it. */
export async function resetForgotten(databaseUrl: string, env: Env, membershipId: string): Promise<string> {
  const logger = createLogger('silent');
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const orm = await openOrm(databaseUrl, env, logger);
  const shared = openSharedState({ ...env, databaseUrl, jwtSecret: '', clock: systemClock, logger });
  try {
    const tx = new Transactions(orm, systemClock, logger, pool);
    const passwords = new PasswordChecks(new HashingLane(), new SignInThrottle(shared.counters));
    const members = new MemberService(tx, new EventLog(shared.broadcast), passwords);
    const caller = systemCaller('reset-password');
    const { temporaryPassword } = await tx.read(caller, (ctx) => members.resetAnyPassword(ctx, membershipId));
    return temporaryPassword as string;
  } finally {
    await shared.close();
    await orm.close();
    await pool.end();
  }
}
