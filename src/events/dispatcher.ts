import { type Context, systemCaller } from '../kernel/context.js';
import type { Transactions } from '../kernel/database/transactions.js';
import { newUuid } from '../kernel/ids.js';
import type { Logger } from '../kernel/logger.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import { EVENTS } from './event-notices.js';
import { StoredEvent } from './stored-event.entity.js';

/** What a module does when events were stored: fan out, enqueue jobs. It runs in the transaction that marks them dispatched. */
export interface Reaction {
  readonly name: string;
  readonly matches: (kind: string) => boolean;
  react(ctx: Context, events: readonly StoredEvent[]): Promise<void>;
}

const BATCH = 500;
const POLL_MS = 1_000;
/** From the end of a round that handed something out, or failed, to the next, at least: what is stored one by one is handed out together and commits once. */
const PACE_MS = 50;
const RETRY_MS = 30_000;

/**
 * Hands stored events to the reactions, in order of storage, at least once and in the same transaction that marks them.
 * Any number of workers may run beside each other: rows are taken with SKIP LOCKED. In a rolling upgrade newer processes store
 * kinds that this one does not know; it leaves them to a newer dispatcher.
 */
export class EventDispatcher {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private restsUntil = 0;
  private again = false;
  private stopped = true;
  private ending = false;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly tx: Transactions,
    private readonly broadcast: Broadcast,
    private readonly reactions: readonly Reaction[],
    private readonly logger: Logger,
    private readonly kinds: readonly string[],
  ) {}

  start(): void {
    this.stopped = false;
    this.ending = false;
    this.unsubscribe = this.broadcast.subscribe(EVENTS, () => this.wake());
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.ending = true;
    this.unsubscribe?.();
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  /** Dispatches what is due until nothing is left; resolves with how many events were handed out. */
  async drain(): Promise<number> {
    let total = 0;
    for (;;) {
      const handled = await this.dispatch(BATCH);
      total += handled;
      if (handled < BATCH || this.ending) return total;
    }
  }

  /** The first event after a pause is handed out at once, those that follow it by the pace. */
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
          this.logger.error({ err: error }, 'dispatching events failed; it is tried again');
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
      await this.tx.write(systemCaller('dispatcher', newUuid()), async (ctx) => {
        taken = await this.take(ctx, limit);
        for (const reaction of this.reactions) {
          const matching = taken.filter((event) => reaction.matches(event.kind));
          if (matching.length > 0) await reaction.react(ctx, matching);
        }
        for (const event of taken) event.dispatchedAt = ctx.now();
      });
      return taken.length;
    } catch (error) {
      if (taken.length === 0) throw error;
      if (taken.length > 1) return this.dispatchHalves(taken.length);
      await this.postpone(taken[0] as StoredEvent, error);
      return 1;
    }
  }

  /** What a failing event was taken with goes on without it: in halves, until it is found, and postponed. */
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
      'a reaction to an event failed; it is tried again',
    );
    await this.tx.write(systemCaller('dispatcher', newUuid()), async (ctx) => {
      const until = new Date(ctx.now().getTime() + RETRY_MS);
      await ctx.em.nativeUpdate(StoredEvent, { id: event.id }, { dispatchAfter: until });
    });
  }
}
