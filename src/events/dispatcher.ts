import { type Context, systemCaller } from '../kernel/context.js';
import type { Transactions } from '../kernel/database/transactions.js';
import type { Logger } from '../kernel/logger.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import { EVENTS } from './event-notices.js';
import { LostNotices } from './lost-notices.js';
import { StoredEvent } from './stored-event.entity.js';

/** A module's reaction to stored events: fan out, enqueue jobs. It runs in the transaction that marks them dispatched. */
export interface Reaction {
  readonly name: string;
  readonly matches: (kind: string) => boolean;
  react(ctx: Context, events: readonly StoredEvent[]): Promise<void>;
}

const BATCH = 500;
const POLL_MS = 1_000;
/**
 * Minimum pause between rounds that dispatched something or failed, so that events stored one by one are dispatched together with one
 * commit.
 */
const PACE_MS = 50;
const RETRY_MS = 30_000;

/**
 * Dispatches stored events to the reactions, in storage order, at least once, and marks them in the same transaction. Any number of workers
 * may run side by side: rows are taken with SKIP LOCKED. During a rolling upgrade newer processes store kinds this one doesn't know; it
 * leaves them to a newer dispatcher.
 */
export class EventDispatcher {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private restsUntil = 0;
  private again = false;
  private stopped = true;
  private ending = false;
  private unsubscribe: (() => void) | null = null;
  private readonly notices: LostNotices;

  constructor(
    private readonly tx: Transactions,
    private readonly broadcast: Broadcast,
    private readonly reactions: readonly Reaction[],
    private readonly logger: Logger,
    private readonly kinds: readonly string[],
  ) {
    this.notices = new LostNotices(broadcast);
  }

  start(): void {
    this.notices.start();
    this.stopped = false;
    this.ending = false;
    this.unsubscribe = this.broadcast.subscribe(EVENTS, () => this.wake());
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.ending = true;
    this.unsubscribe?.();
    this.notices.stop();
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  /** Dispatches everything that is due; resolves with the number of events dispatched. */
  async drain(): Promise<number> {
    let total = 0;
    for (;;) {
      const handled = await this.dispatch(BATCH);
      total += handled;
      if (handled < BATCH || this.ending) return total;
    }
  }

  /** The first event after a pause is dispatched at once; later ones follow the pace. */
  private wake(): void {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    const rest = this.restsUntil - performance.now();
    if (rest > 0) this.wakeIn(rest);
    else this.round();
  }

  private wakeIn(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), ms);
  }

  private round(): void {
    if (this.timer) clearTimeout(this.timer);
    this.running = this.drain()
      .then(
        (handled) => handled > 0,
        (error: unknown) => {
          this.logger.error({ err: error }, 'dispatching events failed and will be retried');
          return true;
        },
      )
      .then((rests) => {
        this.running = null;
        if (rests) this.restsUntil = performance.now() + PACE_MS;
        if (this.stopped) return;
        if (this.again) {
          this.again = false;
          this.wake();
        } else this.wakeIn(POLL_MS);
      });
  }

  private async dispatch(limit: number): Promise<number> {
    let taken: StoredEvent[] = [];
    try {
      await this.tx.write(systemCaller('dispatcher'), async (ctx) => {
        taken = await this.take(ctx, limit);
        for (const reaction of this.reactions) {
          const matching = taken.filter((event) => reaction.matches(event.kind));
          if (matching.length > 0) await reaction.react(ctx, matching);
        }
        for (const event of taken) event.dispatchedAt = ctx.now();
      });
      this.notices.expect(taken);
      return taken.length;
    } catch (error) {
      if (taken.length === 0) throw error;
      if (taken.length > 1) return this.dispatchHalves(taken.length);
      await this.postpone(taken[0] as StoredEvent, error);
      return 1;
    }
  }

  /** Continues without a failing event: bisects the batch until it is found, then postpones it. */
  private async dispatchHalves(count: number): Promise<number> {
    if (this.ending) return 0;
    const half = Math.ceil(count / 2);
    const handled = await this.dispatch(half);
    return handled + (await this.dispatch(count - half));
  }

  private async take(ctx: Context, limit: number): Promise<StoredEvent[]> {
    const rows = await ctx.em.execute<{ id: string }[]>(
      `select due.id
         from unnest(array[?]::text[]) as known(kind)
        cross join lateral (
          select id, sequence from event_log
           where kind = known.kind and dispatched_at is null and (dispatch_after is null or dispatch_after <= ?)
           order by sequence limit ? for update skip locked) due
        order by due.sequence limit ?`,
      [this.kinds, ctx.now(), limit, limit],
    );
    if (rows.length === 0) return [];
    return ctx.em.find(StoredEvent, { id: { $in: rows.map((row) => row.id) } }, { orderBy: { sequence: 'asc' } });
  }

  private async postpone(event: StoredEvent, error: unknown): Promise<void> {
    this.logger.error(
      { err: error, event: event.id, kind: event.kind },
      'a reaction to an event failed and will be retried',
    );
    await this.tx.write(systemCaller('dispatcher'), async (ctx) => {
      const until = new Date(ctx.now().getTime() + RETRY_MS);
      await ctx.em.nativeUpdate(StoredEvent, { id: event.id }, { dispatchAfter: until });
    });
  }
}
