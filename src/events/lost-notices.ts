import { SingleTimer } from '../kernel/turns/single-timer.js';
import type { Broadcast } from '../storage/shared/broadcast.js';
import { subscribeToNotices } from './event-notices.js';
import type { StoredEvent } from './stored-event.entity.js';

/** A notice that has not come twice this long after its event was dispatched is lost: its process died after the commit. */
const LATE_MS = 1_000;
/** The dispatcher may be behind the notices by this much. */
const REMEMBERED_MS = 60_000;
/** Being told that something was missed makes every process read again what it has cached. */
const PACE_MS = 5_000;

type Announced = Pick<StoredEvent, 'id' | 'kind' | 'projectId'>;

/** Notices of dispatched events that never came: all processes are then told that they missed something. */
export class LostNotices {
  /** Ids of announced events, or their kind and project if several were announced together, each with its time. */
  private readonly heard = new Map<string, number>();
  private waiting: Announced[] = [];
  /** Those that have waited for a whole period. */
  private late: Announced[] = [];
  private readonly timer = new SingleTimer(() => this.look());
  private unsubscribe: (() => void) | null = null;
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly broadcast: Broadcast) {}

  start(): void {
    this.unsubscribe = subscribeToNotices(this.broadcast, (notice) => {
      if (notice) this.hear(notice.eventId ?? groupOf(notice.kind, notice.projectId));
      else [this.waiting, this.late] = [[], []];
    });
  }

  stop(): void {
    this.unsubscribe?.();
    this.timer.stop();
  }

  /** Takes note of events that were dispatched. */
  expect(events: readonly Announced[]): void {
    if (this.unsubscribe === null) return;
    this.forget();
    for (const event of events) if (!this.isHeard(event)) this.waiting.push(event);
    if (this.waiting.length > 0) this.timer.in(LATE_MS);
  }

  private look(): void {
    const now = performance.now();
    const isLost = this.late.some((event) => !this.isHeard(event));
    const isTooSoon = isLost && now < this.toldAt + PACE_MS;
    if (!isTooSoon) [this.late, this.waiting] = [this.waiting, []];
    if (this.late.length > 0) this.timer.in(LATE_MS);
    if (!isLost || isTooSoon) return;
    this.toldAt = now;
    this.broadcast.publishStale();
  }

  private hear(key: string): void {
    this.forget();
    this.heard.delete(key);
    this.heard.set(key, performance.now());
  }

  private isHeard({ id, kind, projectId }: Announced): boolean {
    return this.heard.has(id) || this.heard.has(groupOf(kind, projectId)) || this.heard.has(groupOf(kind, null));
  }

  /** The oldest come first. */
  private forget(): void {
    const before = performance.now() - REMEMBERED_MS;
    for (const [key, at] of this.heard) {
      if (at > before) return;
      this.heard.delete(key);
    }
  }
}

const groupOf = (kind: string, projectId: string | null): string => `${kind} ${projectId}`;
