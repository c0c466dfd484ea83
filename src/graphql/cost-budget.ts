import { GraphQLError } from 'graphql';
import type { Caller } from '../kernel/context.js';

/** A full bucket drains in this many seconds. */
const SECONDS = 20;
const MOST_BUCKETS = 10_000;

/**
 * A leaky bucket of cost for each token, and for each address of callers without a token. It drains at `perSecond` and holds twenty
 * seconds' worth. Each process has its own buckets.
 */
export class CostBudget {
  /** When each bucket is empty again, in milliseconds of the process's clock, least recently used first. */
  private readonly emptyAt = new Map<string, number>();

  constructor(private readonly perSecond: number) {}

  /** Spends the cost of an operation, or spends nothing and throws a {@link GraphQLError} with `THROTTLED`. */
  spend(caller: Caller, cost: number): void {
    if (this.perSecond === 0) return;
    const now = performance.now();
    const key = holderOf(caller);
    const emptyAt = Math.max(this.emptyAt.get(key) ?? 0, now) + (cost / this.perSecond) * 1_000;
    const retryAfterMs = Math.ceil(emptyAt - now - SECONDS * 1_000);
    if (retryAfterMs > 0) throw throttled(retryAfterMs, cost, this.perSecond);
    this.emptyAt.delete(key);
    this.emptyAt.set(key, emptyAt);
    if (this.emptyAt.size > MOST_BUCKETS) this.forgetEmpty(now);
  }

  private forgetEmpty(now: number): void {
    for (const [key, emptyAt] of this.emptyAt) if (emptyAt <= now) this.emptyAt.delete(key);
    if (this.emptyAt.size > MOST_BUCKETS) this.emptyAt.delete(this.emptyAt.keys().next().value as string);
  }
}

function holderOf({ actor, address }: Caller): string {
  if (actor.kind === 'user') return actor.tokenId;
  return actor.kind === 'newcomer' ? actor.user.tokenId : `address ${address}`;
}

function throttled(retryAfterMs: number, cost: number, perSecond: number): GraphQLError {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new GraphQLError(`The query budget is used up. Try again in ${seconds} s, or ask for less.`, {
    extensions: {
      code: 'THROTTLED',
      retryAfterMs,
      details: { retryAfterMs, cost, perSecond },
      http: { status: 429, headers: new Map([['retry-after', String(seconds)]]) },
    },
  });
}
