interface Waiting<Call, Outcome> {
  readonly call: Call;
  readonly outcome: PromiseWithResolvers<Outcome>;
}

/** Limits: concurrent groups, and calls per group. */
export interface GatheringLimits {
  readonly running: number;
  readonly group: number;
}

export const ONE_GROUP_AT_A_TIME: GatheringLimits = { running: 1, group: 1_000 };

/** Answers calls together, in order; a promise among the answers settles only its own call. */
export type AnswerTogether<Call, Outcome> = (
  calls: readonly Call[],
) => Promise<readonly (Outcome | PromiseLike<Outcome>)[]>;

/**
 * Batches calls into shared round trips: calls in one turn of the event loop go together, and so do calls that arrive
 * while the maximum number of groups is in flight. There is no waiting window.
 */
export class GatheredCalls<Call, Outcome> {
  private readonly waiting = new Map<string, Waiting<Call, Outcome>[]>();
  private running = 0;
  private isStarting = false;

  constructor(
    private readonly limits: GatheringLimits,
    private readonly answer: AnswerTogether<Call, Outcome>,
  ) {}

  /** Settles like the answer. Only calls of the same kind are answered together. */
  make(kind: string, call: Call): Promise<Outcome> {
    const outcome = Promise.withResolvers<Outcome>();
    const alike = this.waiting.get(kind);
    if (alike) alike.push({ call, outcome });
    else this.waiting.set(kind, [{ call, outcome }]);
    if (!this.isStarting) {
      this.isStarting = true;
      setImmediate(() => {
        this.isStarting = false;
        this.start();
      });
    }
    return outcome.promise;
  }

  private start(): void {
    for (const [kind, alike] of this.waiting) {
      if (this.running >= this.limits.running) return;
      const group = alike.splice(0, this.limits.group);
      this.waiting.delete(kind);
      // The remaining calls go behind the other kinds.
      if (alike.length > 0) this.waiting.set(kind, alike);
      this.running += 1;
      void this.run(group);
    }
  }

  private async run(group: readonly Waiting<Call, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.answer(group.map(({ call }) => call));
      for (const [at, { outcome }] of group.entries()) outcome.resolve(outcomes[at] as Outcome);
    } catch (error) {
      for (const { outcome } of group) outcome.reject(error);
    } finally {
      this.running -= 1;
      this.start();
    }
  }
}
