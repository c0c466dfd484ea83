import type { Context } from '../kernel/context.js';
import { systemCaller } from '../kernel/context.js';
import { textArray } from '../kernel/database/text-array.js';
import type { Transactions } from '../kernel/database/transactions.js';
import type { Logger } from '../kernel/logger.js';
import { SingleTimer } from '../kernel/turns/single-timer.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import { type EventNotice, subscribeToNotices } from './event-notices.js';
import { StoredEvent } from './stored-event.entity.js';

export interface EventListener {
  readonly organizationId: string;
  /** Whether events of a kind may be relevant; called before anything is read. */
  readonly wants: (kind: string) => boolean;
  readonly onEvent: (event: StoredEvent) => void;
}

/** Events stored in quick succession are read together. */
const GATHER_MS = 20;
/** When a message names no event or may have been lost, events of the last few seconds are read; those already reported are known. */
const LOOK_BACK_MS = 15_000;
const MOST_AT_ONCE = 500;
const MOST_KNOWN = 20_000;

/**
 * Tells this process's listeners about events stored by any process, in storage order and each once. Reads nothing while nobody listens.
 */
export class EventFeed {
  private readonly listeners = new Set<EventListener>();
  /** Recently reported events: their sequence by id. */
  private readonly reported = new Map<string, string>();
  /** Before this sequence it is no longer known what was reported, so nothing looks further back. */
  private forgotten = '0';
  private readonly named = new Set<string>();
  private lookBack = false;
  private readonly timer = new SingleTimer(() => void this.read());
  private reading = false;
  private readonly unsubscribe: () => void;

  constructor(
    private readonly tx: Transactions,
    broadcast: Broadcast,
    private readonly logger: Logger,
  ) {
    this.unsubscribe = subscribeToNotices(broadcast, (notice) => this.onNotice(notice));
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.unsubscribe();
    this.timer.stop();
    this.listeners.clear();
  }

  private onNotice(notice: EventNotice | null): void {
    if (this.listeners.size === 0) return;
    if (notice && ![...this.listeners].some(({ wants }) => wants(notice.kind))) return;
    if (notice?.eventId) this.named.add(notice.eventId);
    else this.lookBack = true;
    this.timer.in(GATHER_MS);
  }

  private async read(): Promise<void> {
    if (this.reading) {
      this.timer.in(GATHER_MS);
      return;
    }
    this.reading = true;
    const ids = [...this.named];
    const { lookBack } = this;
    this.named.clear();
    this.lookBack = false;
    try {
      let after: string | undefined = '0';
      while (after !== undefined) {
        const from: string = after;
        after = await this.tx.read(systemCaller('event feed'), (ctx) => this.reportPage(ctx, ids, lookBack, from));
      }
    } catch (error) {
      this.lookBack = true;
      // By the time they can be read, they may be older than the look-back window.
      for (const id of ids) this.named.add(id);
      this.timer.in(1_000);
      this.logger.warn({ err: error }, 'stored events could not be read for listeners; will retry');
    } finally {
      this.reading = false;
    }
  }

  /** Reports the next events after a sequence; returns the last one's sequence if there may be more. */
  private async reportPage(
    ctx: Context,
    ids: readonly string[],
    lookBack: boolean,
    after: string,
  ): Promise<string | undefined> {
    const organizations = [...new Set([...this.listeners].map((listener) => listener.organizationId))];
    const page = await ctx.em.execute<{ id: string; sequence: string }[]>(
      `select id, sequence from event_log
        where organization_id = any(?::uuid[]) and sequence > ?
          and (id = any(?::text[]) or (? and created_at >= ? and sequence > ?))
        order by sequence limit ?`,
      [
        textArray(organizations),
        after,
        textArray(ids),
        lookBack,
        new Date(ctx.now().getTime() - LOOK_BACK_MS),
        this.forgotten,
        MOST_AT_ONCE,
      ],
    );
    const unreported = page.map(({ id }) => id).filter((id) => !this.reported.has(id));
    if (unreported.length > 0) {
      const events = await ctx.em.find(StoredEvent, { id: { $in: unreported } }, { orderBy: { sequence: 'asc' } });
      for (const event of events) this.report(event);
    }
    return page.length < MOST_AT_ONCE ? undefined : page.at(-1)?.sequence;
  }

  private report(event: StoredEvent): void {
    this.reported.set(event.id, event.sequence);
    if (this.reported.size > MOST_KNOWN) this.forgetOldest();
    for (const { organizationId, wants, onEvent } of this.listeners)
      if (organizationId === event.organizationId && wants(event.kind)) onEvent(event);
  }

  private forgetOldest(): void {
    const [oldest] = this.reported;
    if (oldest === undefined) return;
    const [id, sequence] = oldest;
    this.reported.delete(id);
    if (BigInt(sequence) > BigInt(this.forgotten)) this.forgotten = sequence;
  }
}
