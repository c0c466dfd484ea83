import { bodyFailure } from './body-failures.js';

const MEBIBYTE = 1024 * 1024;

/** Total room in bytes for bodies up to some size. */
interface Rung {
  readonly bodies: number;
  readonly room: number;
}

/** How many bytes of request bodies a process holds, and how long a body waits for room. */
export interface BudgetLimits {
  /** From small to large. A body that outgrows its rung waits for room in the next one while it holds its own. */
  readonly rungs: readonly [Rung, ...Rung[]];
  readonly waitMs: number;
}

/** 128 MiB; small bodies never wait behind large ones. */
export const BODY_BUDGET: BudgetLimits = {
  rungs: [
    { bodies: 64 * 1024, room: 16 * MEBIBYTE },
    { bodies: MEBIBYTE, room: 32 * MEBIBYTE },
    { bodies: Number.POSITIVE_INFINITY, room: 80 * MEBIBYTE },
  ],
  waitMs: 5_000,
};

interface Waiter {
  readonly owner: string;
  readonly bytes: number;
  readonly admit: () => void;
}

/** A part of the budget. No owner gets more than half of it, so that one caller alone never makes the others wait. */
class Pool {
  used = 0;
  private readonly shares = new Map<string, number>();
  private waiting: Waiter[] = [];

  constructor(private readonly size: number) {}

  /** Whether an owner waits for room that others hold, not just for its own share. */
  get isCrowded(): boolean {
    return this.waiting.some(({ bytes }) => this.used + bytes > this.size);
  }

  reserve(owner: string, bytes: number): boolean {
    if (this.waiting.length > 0 || !this.fits(owner, bytes)) return false;
    this.add(owner, bytes);
    return true;
  }

  release(owner: string, bytes: number): void {
    if (bytes === 0) return;
    this.add(owner, -bytes);
    this.admitWaiting();
  }

  wait(waiter: Waiter): void {
    this.waiting.push(waiter);
    this.admitWaiting();
  }

  leave(waiter: Waiter): void {
    this.waiting = this.waiting.filter((other) => other !== waiter);
    this.admitWaiting();
  }

  private admitWaiting(): void {
    const left: Waiter[] = [];
    let isFull = false;
    for (const waiter of this.waiting) {
      const { owner, bytes } = waiter;
      if (!isFull && this.fits(owner, bytes)) {
        this.add(owner, bytes);
        waiter.admit();
        continue;
      }
      left.push(waiter);
      // Owners waiting only for their own share let others pass; in a full pool, first come, first served.
      isFull ||= this.used + bytes > this.size;
    }
    this.waiting = left;
  }

  private fits(owner: string, bytes: number): boolean {
    return this.used + bytes <= this.size && (this.shares.get(owner) ?? 0) + bytes <= this.size / 2;
  }

  private add(owner: string, bytes: number): void {
    this.used += bytes;
    const share = (this.shares.get(owner) ?? 0) + bytes;
    if (share === 0) this.shares.delete(owner);
    else this.shares.set(owner, share);
  }
}

interface Ladder {
  readonly pools: readonly { readonly bodies: number; readonly pool: Pool }[];
  readonly waitMs: number;
}

/**
 * The memory that all request bodies of a process share, on every route. Each request {@link open}s a holding, makes
 * room before it reads, and closes the holding when its answer is ready.
 */
export class BodyBudget {
  private readonly ladder: Ladder;

  constructor({ rungs, waitMs }: BudgetLimits = BODY_BUDGET) {
    this.ladder = { pools: rungs.map(({ bodies, room }) => ({ bodies, pool: new Pool(room) })), waitMs };
  }

  /** Total bytes granted. */
  get held(): number {
    return this.ladder.pools.reduce((sum, { pool }) => sum + pool.used, 0);
  }

  /** Whether a body waits for room that others hold. */
  get isCrowded(): boolean {
    return this.ladder.pools.some(({ pool }) => pool.isCrowded);
  }

  /** An empty holding. `owner` is the unit of fairness: a project, a user or an address. */
  open(owner: string): BodyHolding {
    return new BodyHolding(this.ladder, owner);
  }
}

/** One request body's share of the budget. */
export class BodyHolding {
  private held = 0;
  private pool: Pool | null = null;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly ladder: Ladder,
    private readonly owner: string,
  ) {}

  /** Bytes granted. */
  get bytes(): number {
    return this.held;
  }

  /**
   * Makes room for a body of `bytes` so far that may grow to `most`. It reserves as much as its rung allows one body,
   * so that bodies never wait for each other in the middle of a rung. Returns null when granted at once, else a promise
   * that resolves once granted and fails with `bodies_exhausted` after the time limit. Call it once at a time.
   */
  grow(bytes: number, most = bytes): Promise<void> | null {
    if (bytes <= this.held) return null;
    const rung = this.ladder.pools.find(({ bodies }) => bytes <= bodies) as Ladder['pools'][number];
    const wanted = Math.min(most, rung.bodies);
    const more = rung.pool === this.pool ? wanted - this.held : wanted;
    if (!rung.pool.reserve(this.owner, more)) return this.wait(rung.pool, more, wanted);
    this.grant(rung.pool, wanted);
    return null;
  }

  /** Gives everything back and cancels any wait for room. */
  close(): void {
    this.cancel?.();
    this.pool?.release(this.owner, this.held);
    this.held = 0;
  }

  private wait(pool: Pool, more: number, bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = () => {
      clearTimeout(timer);
      this.cancel = null;
    };
    const waiter: Waiter = {
      owner: this.owner,
      bytes: more,
      admit: () => {
        settle();
        this.grant(pool, bytes);
        resolve();
      },
    };
    this.cancel = () => {
      settle();
      pool.leave(waiter);
      reject(bodyFailure('bodies_exhausted'));
    };
    const timer = setTimeout(this.cancel, this.ladder.waitMs);
    pool.wait(waiter);
    return promise;
  }

  private grant(pool: Pool, bytes: number): void {
    if (pool !== this.pool) this.pool?.release(this.owner, this.held);
    this.pool = pool;
    this.held = bytes;
  }
}
