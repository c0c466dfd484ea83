import { GraphQLError } from 'graphql';
import type { Caller } from '../kernel/context.js';

/** A bucket holds what flows out of it in this many seconds. */
const SECONDS = 20;
const MOST_BUCKETS = 10_000;

/**
 * A leaky bucket of cost for each token, and for each address of callers without one: `perSecond` flows out, and twenty seconds of
 * that can be spent at once. Every process has buckets of its own.
 */
export class CostBudget {
  /** When a bucket is empty again, in milliseconds of the process's clock; least recently used first. */
  private readonly emptyAt = new Map<string, number>();

  constructor(private readonly perSecond: number) {}

  /** Spends the cost of an operation, or refuses it with `THROTTLED`, a {@link GraphQLError}, spending nothing. */
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
  return new GraphQLError(`Too much was asked with this token lately; ask again in ${seconds} s, or for less.`, {
    extensions: {
      code: 'THROTTLED',
      retryAfterMs,
      details: { retryAfterMs, cost, perSecond },
      http: { status: 429, headers: new Map([['retry-after', String(seconds)]]) },
    },
  });
}
