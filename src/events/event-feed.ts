import type { Context } from '../kernel/context.js';
import { systemCaller } from '../kernel/context.js';
import type { Transactions } from '../kernel/database/transactions.js';
import { newUuid } from '../kernel/ids.js';
import type { Logger } from '../kernel/logger.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import { type EventNotice, hearNotices } from './event-notices.js';
import { StoredEvent } from './stored-event.entity.js';

/** A listener for stored events. */
export interface EventListener {
  readonly organizationId: string;
  /** Whether events of a kind may concern it; asked before anything is read. */
  readonly wants: (kind: string) => boolean;
  readonly hear: (event: StoredEvent) => void;
}

/** Events that are stored in quick succession are read together. */
const GATHER_MS = 20;
/** Where a message names no event, or may have been lost, events of the last seconds are read; those that were already reported are known. */
const LOOK_BACK_MS = 15_000;
const MOST_AT_ONCE = 500;
const MOST_KNOWN = 20_000;

/**
 * Tells listeners of this process which events were stored, by whatever process, in order of storage and each once. It reads nothing
 * while nobody listens.
 */
export class EventFeed {
  private readonly listeners = new Set<EventListener>();
  /** Ids of the events that were reported lately. */
  private readonly told = new Set<string>();
  private readonly named = new Set<string>();
  private lookBack = false;
  private timer: NodeJS.Timeout | null = null;
  private reading = false;
  private readonly deaf: () => void;

  constructor(
    private readonly tx: Transactions,
    broadcast: Broadcast,
    private readonly logger: Logger,
  ) {
    this.deaf = hearNotices(broadcast, (notice) => this.heard(notice));
  }

  /** Adds a listener; the returned function removes it. */
  listen(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    this.deaf();
    if (this.timer) clearTimeout(this.timer);
    this.listeners.clear();
  }

  private heard(notice: EventNotice | null): void {
    if (this.listeners.size === 0) return;
    if (notice && ![...this.listeners].some(({ wants }) => wants(notice.kind))) return;
    if (notice?.eventId) this.named.add(notice.eventId);
    else this.lookBack = true;
    this.timer ??= setTimeout(() => void this.read(), GATHER_MS).unref();
  }

  private async read(): Promise<void> {
    this.timer = null;
    if (this.reading) {
      this.timer = setTimeout(() => void this.read(), GATHER_MS).unref();
      return;
    }
    this.reading = true;
    const ids = [...this.named];
    const { lookBack } = this;
    this.named.clear();
    this.lookBack = false;
    try {
      const events = await this.tx.read(systemCaller('event feed', newUuid()), (ctx) => this.find(ctx, ids, lookBack));
      for (const event of events) this.tell(event);
    } catch (error) {
      this.lookBack = true;
      this.timer ??= setTimeout(() => void this.read(), 1_000).unref();
      this.logger.warn({ err: error }, 'stored events could not be read for who listens to them; it is tried again');
    } finally {
      this.reading = false;
    }
  }

  private find(ctx: Context, ids: readonly string[], lookBack: boolean): Promise<StoredEvent[]> {
    const organizationId = { $in: [...new Set([...this.listeners].map((listener) => listener.organizationId))] };
    const since = new Date(ctx.now().getTime() - LOOK_BACK_MS);
    const where = lookBack
      ? { $or: [{ id: { $in: [...ids] } }, { createdAt: { $gte: since } }] }
      : { id: { $in: [...ids] } };
    return ctx.em.find(
      StoredEvent,
      { organizationId, ...where },
      { orderBy: { sequence: 'asc' }, limit: MOST_AT_ONCE },
    );
  }

  private tell(event: StoredEvent): void {
    if (this.told.has(event.id)) return;
    this.told.add(event.id);
    if (this.told.size > MOST_KNOWN) this.told.delete(this.told.values().next().value as string);
    for (const { organizationId, wants, hear } of this.listeners)
      if (organizationId === event.organizationId && wants(event.kind)) hear(event);
  }
}
