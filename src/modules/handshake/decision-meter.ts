import type { Pool } from 'pg';
import type { KeyActor } from '../../kernel/actor.js';
import type { Clock } from '../../kernel/clock.js';
import { systemCaller } from '../../kernel/context.js';
import type { Transactions } from '../../kernel/database/transactions.js';
import type { Logger } from '../../kernel/logger.js';
import { SingleTimer } from '../../kernel/turns/single-timer.js';
import { consume, type Metered } from '../quotas/metering.js';
import type { QuotaService } from '../quotas/quota.service.js';
import { quotaFailure } from '../quotas/quotas.errors.js';

/** Admitted calls are stored within this time. */
const FLUSH_MS = 500;
/** Quota data older than this is read again before anyone is admitted on it. */
const KNOWN_MS = 1_000;
/** The share of the remaining quota that one process may admit without storing it, and the absolute maximum. */
const SHARE = 200;
const MOST_UNSTORED = 20_000;

interface Account {
  readonly projectId: string;
  readonly organizationId: string;
  knownAt: number;
  monthEndsAt: number;
  /** Calls that may be admitted without asking the database. */
  allowance: number;
  admitted: number;
  refusal: Metered | null;
  turn: Promise<void>;
  readonly timer: SingleTimer;
}

/**
 * Meters decision calls of live projects against the monthly quota. Far from the limit a process admits up to 0.5 % of the remaining quota
 * and stores the count within half a second; the last 200 calls are stored one by one before they are answered, so the quota isn't exceeded
 * there. A process that dies loses half a second of counts.
 */
export class DecisionMeter {
  private readonly accounts = new Map<string, Account>();

  constructor(
    private readonly pool: Pool,
    private readonly tx: Transactions,
    private readonly quotas: QuotaService,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Counts one call, now or soon; synchronous if it returns undefined. Fails with `quota_exceeded`. */
  admit(actor: KeyActor): Promise<void> | undefined {
    if (actor.environment !== 'live') return undefined;
    const account = this.accountOf(actor);
    if (this.hasRoom(account)) return undefined;
    return this.inTurn(account, () => this.admitExactly(account));
  }

  async close(): Promise<void> {
    await Promise.all([...this.accounts.values()].map((account) => this.flush(account)));
  }

  private isOpen(account: Account): boolean {
    return this.isKnown(account) && !account.refusal && account.admitted < account.allowance;
  }

  /** Whether the account data is recent and from this month. */
  private isKnown(account: Account): boolean {
    const now = this.clock.now().getTime();
    const age = now - account.knownAt;
    return age >= 0 && age < KNOWN_MS && now < account.monthEndsAt;
  }

  private hasRoom(account: Account): boolean {
    if (!this.isOpen(account)) return false;
    account.admitted += 1;
    // Stored while there is still room, so that busy callers needn't wait for it.
    if (account.admitted === account.allowance >> 1) void this.flush(account);
    account.timer.in(FLUSH_MS);
    return true;
  }

  private async admitExactly(account: Account): Promise<void> {
    if (this.hasRoom(account)) return;
    const now = this.clock.now();
    if (account.refusal && this.isKnown(account)) throw refused(account.refusal);
    const stored = await this.store(account, 1, now);
    if (stored.allowed) return;
    if (account.admitted > 0) await this.store(account, 0, now);
    account.refusal = stored;
    throw refused(stored);
  }

  private async flush(account: Account): Promise<void> {
    try {
      await this.inTurn(account, async () => {
        account.timer.stop();
        if (account.admitted > 0) await this.store(account, 0, this.clock.now());
      });
    } catch (error) {
      this.logger.warn({ err: error, projectId: account.projectId }, 'decision calls could not be metered; will retry');
    }
  }

  /** Stores admitted calls together with `more` calls that wait for it, all or none. */
  private async store(account: Account, more: number, now: Date): Promise<Metered> {
    const query = (text: string, values: unknown[]) => this.pool.query(text, values);
    const { admitted } = account;
    const metered = await consume(query, account.projectId, 'decisions', admitted + more, now);
    const left = metered.limit === null ? Number.POSITIVE_INFINITY : metered.limit - metered.current;
    account.knownAt = now.getTime();
    account.monthEndsAt = metered.resetsAt.getTime();
    account.allowance = Math.min(MOST_UNSTORED, Math.floor(left / SHARE));
    account.refusal = null;
    if (metered.allowed) account.admitted -= admitted;
    // The calls are counted, even if announcing them fails.
    if (metered.crossed.length > 0)
      await this.announce(account, metered).catch((err: unknown) =>
        this.logger.error(
          { err, projectId: account.projectId },
          'a crossed threshold of decisions could not be announced',
        ),
      );
    return metered;
  }

  private announce({ projectId, organizationId }: Account, metered: Metered): Promise<void> {
    return this.tx.write(systemCaller('metering'), async (ctx) =>
      this.quotas.announceCrossed(ctx, { id: projectId, organizationId }, 'decisions', metered),
    );
  }

  private inTurn(account: Account, work: () => Promise<void>): Promise<void> {
    const done = account.turn.then(work);
    account.turn = done.catch(() => undefined);
    return done;
  }

  private accountOf({ projectId, organizationId }: KeyActor): Account {
    const known = this.accounts.get(projectId);
    if (known) return known;
    const account: Account = {
      projectId,
      organizationId,
      knownAt: 0,
      monthEndsAt: 0,
      allowance: 0,
      admitted: 0,
      refusal: null,
      turn: Promise.resolve(),
      timer: new SingleTimer(() => void this.flush(account)),
    };
    this.accounts.set(projectId, account);
    return account;
  }
}

function refused({ current, limit, resetsAt }: Metered) {
  return quotaFailure('quota_exceeded', {
    meter: 'decisions',
    current,
    limit: limit ?? 0,
    resetsAt: resetsAt.toISOString(),
  });
}
