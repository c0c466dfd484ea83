import { setTimeout as sleep } from 'node:timers/promises';
import type { EventKind } from '../../../events/catalog.js';
import { type EventNotice, subscribeToNotices } from '../../../events/event-notices.js';
import type { Clock } from '../../../kernel/clock.js';
import { allOrEach } from '../../../kernel/database/all-or-each.js';
import type { Logger } from '../../../kernel/logger.js';
import { SingleTimer } from '../../../kernel/turns/single-timer.js';
import type { Broadcast } from '../../../storage/shared/broadcast.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { DeliveryLanes, type Ending } from './delivery-lanes.js';
import { type DeliveryQueue, LEASE_MS } from './delivery-queue.js';
import type { DeliveryRecords, EndedAttempt, FailingSubscription } from './delivery-records.js';
import type { DeliverySender } from './delivery-sender.js';
import { judge } from './retry-schedule.js';
import type { WorkerPresence } from './worker-presence.js';

const POLL_MS = 500;
const SWEEP_MS = 1_000;
/** The process has 10 s to shut down; attempts may take 15. Interrupted ones are repeated, with the same id. */
const STOP_GRACE_MS = 3_000;
const SETTLED_AT_ONCE = 1_000;
/** A statement for a few attempts costs the database nearly as much as one for hundreds. */
const SETTLE_GATHERS = 250;
const SETTLE_WAITS_MS = 20;
/** A lease must outlast the longest attempt begun under it. */
const LEASE_RESERVE_MS = 20_000;
/** Minimum interval between returning everything fetched: without a broadcast, notices may be missed every second. */
const REROUTE_ALL_MS = 5_000;
const REROUTING: ReadonlySet<string> = new Set<EventKind>([
  'webhooks.subscription.changed',
  'webhooks.subscription.disabled',
  'webhooks.subscription.deleted',
]);

/** Called with endpoints to be disabled: `gone` after a 410, and those failing since an instant. */
export interface EndpointWatch {
  gone(subscriptionId: string): Promise<void>;
  failing(subscriptions: readonly FailingSubscription[], now: Date): Promise<void>;
}

export interface DeliveryWorkerParts {
  queue: DeliveryQueue;
  records: DeliveryRecords;
  sender: DeliverySender;
  presence: WorkerPresence;
  watch: EndpointWatch;
  /** Called with every batch of finished attempts. */
  count(ended: readonly EndedAttempt[]): void;
  /** Reports that subscriptions were changed, disabled or deleted. */
  broadcast: Broadcast;
  clock: Clock;
  logger: Logger;
  random: () => number;
}

/** Delivers what is due: fetches leases as the lanes have room, sends, and records the results in batches. */
export class DeliveryWorker {
  private readonly lanes = new DeliveryLanes<ClaimedDelivery>();
  private ended: EndedAttempt[] = [];
  /** Subscriptions whose targets responded with 410, until they are disabled. */
  private readonly gone = new Set<string>();
  private recording: Promise<void> | null = null;
  private fetching: Promise<number> | null = null;
  private fetchAgain = false;
  /** Projects whose subscriptions changed while deliveries were fetched; null stands for any. */
  private readonly rerouted = new Set<string | null>();
  private readonly reroutingAll = new SingleTimer(() => {
    this.reroutedAllAt = performance.now();
    this.reroute(null);
  });
  private reroutedAllAt = Number.NEGATIVE_INFINITY;
  private unsubscribe: (() => void) | null = null;
  private cutShort = false;
  private abandoning = false;
  private stopped = true;
  private keeping: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly sweeper = new SingleTimer(() => void this.keepPresence());
  private idle: (() => void)[] = [];

  constructor(private readonly parts: DeliveryWorkerParts) {}

  get inFlight(): number {
    return this.lanes.inFlight;
  }

  /** Starts delivering as soon as the database answers. */
  start(): void {
    this.stopped = false;
    const onNotice = (notice: EventNotice | null) => (notice ? this.reroute(notice.projectId) : this.rerouteAll());
    this.unsubscribe = subscribeToNotices(this.parts.broadcast, onNotice, REROUTING);
    void this.keepPresence();
    this.sweeper.every(SWEEP_MS);
  }

  /** Looks for due deliveries now instead of at the next poll. */
  wake(): void {
    if (this.stopped) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), POLL_MS);
    if (this.fetching === null) void this.fetch();
    else this.fetchAgain = true;
  }

  /** Returns deliveries that weren't started, waits a while for attempts in progress, and returns those that don't end. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    if (this.timer) clearTimeout(this.timer);
    this.sweeper.stop();
    this.reroutingAll.stop();
    await this.keeping;
    await this.fetching;
    await this.release(this.lanes.takeBack());
    await Promise.race([this.whenIdle(), sleep(STOP_GRACE_MS, undefined, { ref: false })]);
    this.abandoning = true;
    await this.parts.sender.close();
    await this.whenIdle();
    await this.parts.presence.leave();
  }

  /** Delivers everything due at the clock's current time and waits until it is recorded; for callers that control the clock. */
  async drain(): Promise<void> {
    await this.keeping;
    do {
      await this.whenIdle();
      // A running one may have looked at the clock before the caller moved it.
      await this.fetching;
    } while ((await this.fetch()) > 0);
    await this.whenIdle();
  }

  private fetch(): Promise<number> {
    this.fetching ??= this.fetchOnce()
      .catch((error: unknown) => {
        this.parts.logger.error({ err: error }, 'fetching deliveries failed; will retry');
        return 0;
      })
      .finally(() => {
        this.fetching = null;
        if (!this.fetchAgain || this.stopped) return;
        this.fetchAgain = false;
        void this.fetch();
      });
    return this.fetching;
  }

  private async fetchOnce(): Promise<number> {
    const demand = this.lanes.demand();
    if (demand.total === 0 || !this.parts.presence.isHeld) return 0;
    this.rerouted.clear();
    const claimed = await this.parts.queue.claim(this.parts.presence.number, this.parts.clock.now(), demand);
    this.cutShort = claimed.length === demand.total;
    if (claimed.length === 0) return 0;
    await this.parts.sender.prepare(new Set(claimed.map(({ subscriptionId }) => subscriptionId)));
    const isOld = ({ projectId }: ClaimedDelivery): boolean => this.rerouted.has(projectId) || this.rerouted.has(null);
    this.lanes.add(claimed.filter((delivery) => !isOld(delivery)));
    this.pump();
    this.releaseClaimed(claimed.filter(isOld));
    return claimed.length;
  }

  /**
   * Returns what was fetched for a project's subscriptions, or for all, so that it is fetched again for its current target, if it still has
   * one.
   */
  private reroute(projectId: string | null): void {
    this.rerouted.add(projectId);
    this.releaseClaimed(this.lanes.takeBack((delivery) => projectId === null || delivery.projectId === projectId));
  }

  /** Notices of changed subscriptions may have been missed. */
  private rerouteAll(): void {
    this.reroutingAll.in(Math.max(0, this.reroutedAllAt + REROUTE_ALL_MS - performance.now()));
  }

  private releaseClaimed(deliveries: readonly ClaimedDelivery[]): void {
    if (deliveries.length > 0) void this.release(deliveries).then(() => this.wake());
  }

  private pump(): void {
    for (let delivery = this.lanes.next(); delivery !== null; delivery = this.lanes.next()) void this.send(delivery);
  }

  private async send(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = this.parts.clock.now().getTime();
    const leaseEnds = delivery.claimedAt + LEASE_MS - LEASE_RESERVE_MS;
    const result = performance.now() > leaseEnds ? null : await this.parts.sender.send(delivery, startedAt);
    if (result === null || (this.abandoning && result.status === null)) {
      this.finish(delivery, 'failure');
      await this.release([delivery]);
      return;
    }
    const at = this.parts.clock.now();
    const made = delivery.attempts + 1 - delivery.earlierAttempts;
    const verdict = judge(result, made, at.getTime(), this.parts.random);
    this.ended.push({
      delivery,
      result,
      verdict,
      at,
      wasFailing: this.parts.sender.isFailing(delivery.subscriptionId),
    });
    this.record();
    this.finish(
      delivery,
      verdict.kind === 'delivered' ? 'success' : result.failure === 'timeout' ? 'silence' : 'failure',
    );
  }

  private finish(delivery: ClaimedDelivery, ending: Ending): void {
    const givenBack = this.lanes.finished(delivery.subscriptionId, ending);
    if (givenBack.length > 0) void this.release(givenBack);
    this.pump();
    if (!this.stopped && (this.cutShort || this.lanes.wantsMore(delivery.subscriptionId))) void this.fetch();
    this.announceIdle();
  }

  private record(): void {
    this.recording ??= this.recordAll().finally(() => {
      this.recording = null;
      this.announceIdle();
    });
  }

  private async recordAll(): Promise<void> {
    while (this.ended.length > 0) {
      if (this.ended.length < SETTLE_GATHERS && this.lanes.inFlight > 0) await sleep(SETTLE_WAITS_MS);
      const batch = this.ended.splice(0, SETTLED_AT_ONCE);
      this.parts.count(batch);
      await this.recordBatch(batch);
    }
  }

  private async recordBatch(batch: readonly EndedAttempt[]): Promise<void> {
    const settle = async (ended: readonly EndedAttempt[]): Promise<void> => {
      await this.parts.records.record(ended);
      for (const { delivery, verdict } of ended)
        if (verdict.kind === 'dead' && verdict.reason === 'gone') this.gone.add(delivery.subscriptionId);
    };
    // The leases expire and the deliveries are repeated, with the same ids.
    const lost = (error: unknown, attempts: number): void =>
      this.parts.logger.error({ err: error, attempts }, 'recording attempts failed; they will be repeated');
    await allOrEach(batch, settle, (_attempt, error) => lost(error, 1)).catch((error: unknown) =>
      lost(error, batch.length),
    );
    await this.switchOffGone();
    await this.markHealth(batch);
  }

  private async markHealth(batch: readonly EndedAttempt[]): Promise<void> {
    const { records, watch, clock, logger } = this.parts;
    try {
      const failing = await records.markHealth(batch);
      if (failing.length > 0) await watch.failing(failing, clock.now());
    } catch (error) {
      logger.error(
        { err: error },
        'marking subscriptions as failing or recovered failed; their next attempts will do it',
      );
    }
  }

  private async switchOffGone(): Promise<void> {
    for (const subscriptionId of this.gone) {
      try {
        await this.parts.watch.gone(subscriptionId);
        this.gone.delete(subscriptionId);
      } catch (error) {
        const note = 'a subscription whose target is gone could not be disabled; will retry';
        this.parts.logger.error({ err: error, subscriptionId }, note);
      }
    }
  }

  private async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.parts.queue.release(deliveries).catch((error: unknown) => {
      this.parts.logger.warn({ err: error }, 'returning leases failed; they will expire');
    });
  }

  /** Joins or sweeps; one at a time, however long the database takes. */
  private keepPresence(): Promise<void> {
    this.keeping ??= this.keepPresenceOnce().finally(() => {
      this.keeping = null;
    });
    return this.keeping;
  }

  private async keepPresenceOnce(): Promise<void> {
    const { presence } = this.parts;
    try {
      const joins = !presence.isHeld;
      if (joins) await presence.join();
      await presence.sweep();
      await this.switchOffGone();
      if (joins) this.wake();
    } catch (error) {
      this.parts.logger.warn({ err: error }, `the delivery worker has no database; it will retry in ${SWEEP_MS} ms`);
    }
  }

  private async whenIdle(): Promise<void> {
    while (this.lanes.inFlight > 0 || this.recording !== null) await new Promise<void>((done) => this.idle.push(done));
  }

  private announceIdle(): void {
    if (this.lanes.inFlight === 0 && this.recording === null) for (const done of this.idle.splice(0)) done();
  }
}
