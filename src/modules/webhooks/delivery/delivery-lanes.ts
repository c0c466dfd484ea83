export interface LaneItem {
  subscriptionId: string;
}

export interface LaneSettings {
  /** Maximum concurrent attempts, over all endpoints. */
  inFlight: number;
  /** Concurrent attempts to an unknown endpoint. */
  firstWindow: number;
  /** Concurrent attempts to the best of endpoints. */
  widestWindow: number;
  /** Deliveries kept ready for an endpoint that responds well, as a multiple of its window. */
  readyFactor: number;
}

const LANE_DEFAULTS: LaneSettings = { inFlight: 4_096, firstWindow: 2, widestWindow: 64, readyFactor: 8 };

/** How many deliveries the lanes can take: `perLane` for those named, `other` for every other endpoint, `total` overall. */
export interface Demand {
  perLane: Map<string, number>;
  other: number;
  total: number;
}

/** The result of an attempt, as far as it affects its endpoint's window; `silence` is a timeout. */
export type Ending = 'success' | 'failure' | 'silence';

interface Lane<T> {
  id: string;
  window: number;
  inFlight: number;
  ready: T[];
  queued: boolean;
  /** The size of the last demand, and whether it was fully met: then more may be waiting. */
  demanded: number;
  wasCut: boolean;
}

const LANES_REMEMBERED = 5_000;
const TAKEN_AT_ONCE = 2_000;

/**
 * Fairness between endpoints. Every endpoint has its own lane with a window of concurrent attempts: it grows by one with each success,
 * halves with a failure and drops to one with a silence, so a hanging endpoint holds a socket or two and never the worker. Lanes with
 * something to send take turns.
 */
export class DeliveryLanes<T extends LaneItem> {
  private readonly lanes = new Map<string, Lane<T>>();
  private turns: Lane<T>[] = [];
  private inFlightCount = 0;
  private readyCount = 0;

  constructor(readonly settings: LaneSettings = LANE_DEFAULTS) {}

  get inFlight(): number {
    return this.inFlightCount;
  }

  get ready(): number {
    return this.readyCount;
  }

  /** What to fetch next. A lane that has enough is listed with 0. */
  demand(): Demand {
    const perLane = new Map<string, number>();
    for (const lane of this.lanes.values()) {
      const held = lane.inFlight + lane.ready.length;
      if (held > 0 || lane.window !== this.settings.firstWindow)
        perLane.set(lane.id, Math.max(0, this.room(lane) - held));
    }
    const total = Math.min(TAKEN_AT_ONCE, this.settings.inFlight - this.inFlightCount - this.readyCount);
    return { perLane, other: this.settings.firstWindow, total: Math.max(0, total) };
  }

  add(items: readonly T[]): void {
    for (const item of items) {
      const lane = this.lane(item.subscriptionId);
      lane.ready.push(item);
      lane.demanded -= 1;
      if (lane.demanded <= 0) lane.wasCut = true;
      this.readyCount += 1;
      this.enqueue(lane);
    }
  }

  /** Whether the endpoint's lane runs dry while more of its deliveries may be waiting. */
  wantsMore(subscriptionId: string): boolean {
    const lane = this.lanes.get(subscriptionId);
    return lane === undefined ? false : lane.wasCut && lane.ready.length <= lane.window;
  }

  /** The next delivery to send, with lanes taking turns; null if every lane is empty or has a full window. */
  next(): T | null {
    if (this.inFlightCount >= this.settings.inFlight) return null;
    const lane = this.turns.shift();
    if (lane === undefined) return null;
    lane.queued = false;
    const item = lane.ready.shift();
    if (item === undefined) return this.next();
    lane.inFlight += 1;
    this.readyCount -= 1;
    this.inFlightCount += 1;
    this.enqueue(lane);
    return item;
  }

  /**
   * An attempt has ended.
   * @returns deliveries that the lane gives back, because its endpoint keeps failing and they would wait here too long.
   */
  finished(subscriptionId: string, ending: Ending): T[] {
    const lane = this.lane(subscriptionId);
    lane.inFlight -= 1;
    this.inFlightCount -= 1;
    lane.window = this.windowAfter(lane.window, ending);
    const givenBack = lane.window > 1 || ending === 'success' ? [] : lane.ready.splice(0);
    this.readyCount -= givenBack.length;
    this.enqueue(lane);
    return givenBack;
  }

  /** Takes back deliveries not started, all or a selection. */
  takeBack(which: (item: T) => boolean = () => true): T[] {
    const taken: T[] = [];
    for (const lane of this.lanes.values()) {
      const kept: T[] = [];
      for (const item of lane.ready) (which(item) ? taken : kept).push(item);
      lane.ready = kept;
    }
    this.readyCount -= taken.length;
    return taken;
  }

  private windowAfter(window: number, ending: Ending): number {
    if (ending === 'success') return Math.min(this.settings.widestWindow, window + 1);
    return ending === 'silence' ? 1 : Math.max(1, Math.floor(window / 2));
  }

  private room(lane: Lane<T>): number {
    return lane.window > this.settings.firstWindow ? lane.window * this.settings.readyFactor : lane.window;
  }

  private enqueue(lane: Lane<T>): void {
    if (lane.queued || lane.ready.length === 0 || lane.inFlight >= lane.window) return;
    lane.queued = true;
    this.turns.push(lane);
  }

  private lane(id: string): Lane<T> {
    let lane = this.lanes.get(id);
    if (lane === undefined) {
      if (this.lanes.size >= LANES_REMEMBERED) this.forgetIdle();
      lane = {
        id,
        window: this.settings.firstWindow,
        inFlight: 0,
        ready: [],
        queued: false,
        demanded: this.settings.firstWindow,
        wasCut: false,
      };
      this.lanes.set(id, lane);
    }
    return lane;
  }

  private forgetIdle(): void {
    for (const lane of this.lanes.values()) {
      if (lane.inFlight === 0 && lane.ready.length === 0) this.lanes.delete(lane.id);
    }
  }
}
