/** A unit of a group commit: its weight decides how many fit into one group and into the buffer. */
export interface Weighed {
  readonly operations: number;
  readonly bytes: number;
}

export interface GroupCommitLimits {
  /** Maximum concurrent groups, each on its own connection. */
  lanes: number;
  /** A group is closed once it holds this many operations; a request is never split. */
  groupOperations: number;
  /** Limits for waiting and running work, in operations and in bytes. */
  bufferedOperations: number;
  bufferedBytes: number;
}

/** The share of a full group for which one more lane starts working. */
const WORTH_A_LANE = 0.1;

interface Waiting<Request, Outcome> {
  request: Request;
  /** Its weight on arrival. */
  operations: number;
  bytes: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Durably writes one group on the lane with this number and returns the outcome of each request, in order. */
export type Flush<Request, Outcome> = (
  requests: readonly Request[],
  lane: number,
) => Promise<readonly PromiseSettledResult<Outcome>[]>;

/**
 * Gathers requests while earlier groups are being committed and writes them together: the commit time itself forms the group, there is no
 * waiting window. A request is answered after its commit. Order between requests isn't kept.
 */
export class GroupCommit<Request extends Weighed, Outcome> {
  private readonly idleLanes: number[];
  private waiting: Waiting<Request, Outcome>[] = [];
  private waitingOperations = 0;
  private starting = false;
  private operations = 0;
  private bytes = 0;
  private readonly drained: (() => void)[] = [];

  constructor(
    private readonly limits: GroupCommitLimits,
    private readonly flush: Flush<Request, Outcome>,
  ) {
    this.idleLanes = Array.from({ length: limits.lanes }, (_, lane) => lane);
  }

  /** Operations waiting or being written. */
  get depth(): number {
    return this.operations;
  }

  /** Whether a request must be rejected. An empty buffer takes a request of any size. */
  isFull(weight: Weighed): boolean {
    if (this.operations === 0) return false;
    return (
      this.operations + weight.operations > this.limits.bufferedOperations ||
      this.bytes + weight.bytes > this.limits.bufferedBytes
    );
  }

  /** Settles when the request is durable or rejected. The caller has called {@link isFull} in the same turn. */
  submit(request: Request): Promise<Outcome> {
    const { operations, bytes } = request;
    this.operations += operations;
    this.bytes += bytes;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.waiting.push({ request, operations, bytes, resolve, reject });
    this.waitingOperations += operations;
    this.startSoon();
    return promise;
  }

  async drain(): Promise<void> {
    if (this.operations > 0) await new Promise<void>((resolve) => this.drained.push(resolve));
  }

  private startSoon(): void {
    if (this.starting) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      this.start();
    });
  }

  /** A few operations join the next group of a working lane rather than make their own commit. */
  private start(): void {
    while (this.waiting.length > 0) {
      const isAtWork = this.idleLanes.length < this.limits.lanes;
      if (isAtWork && this.waitingOperations < this.limits.groupOperations * WORTH_A_LANE) return;
      const lane = this.idleLanes.pop();
      if (lane === undefined) return;
      void this.write(this.nextGroup(), lane);
    }
  }

  private nextGroup(): Waiting<Request, Outcome>[] {
    let operations = 0;
    let count = 0;
    for (const next of this.waiting) {
      if (count > 0 && operations + next.operations > this.limits.groupOperations) break;
      operations += next.operations;
      count++;
    }
    this.waitingOperations -= operations;
    return this.waiting.splice(0, count);
  }

  private async write(group: Waiting<Request, Outcome>[], lane: number): Promise<void> {
    try {
      const outcomes = await this.flush(
        group.map(({ request }) => request),
        lane,
      );
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as PromiseSettledResult<Outcome>;
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome.reason);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const { operations, bytes } of group) {
        this.operations -= operations;
        this.bytes -= bytes;
      }
      this.idleLanes.push(lane);
      this.start();
      if (this.operations === 0) for (const done of this.drained.splice(0)) done();
    }
  }
}
