/** What can be told of a flag or config item: an outcome in one of its versions. */
export interface Outcome {
  readonly objectId: string;
  readonly version: number;
  readonly outcome: string;
}

/** Told that something was counted since the last time that {@link DecisionCounts.drain} was called. */
export type OnFirst = (counts: DecisionCounts) => void;

/** Counts of decisions that are told together, in memory: an answer is one outcome of each object. */
export class DecisionCounts {
  private readonly counts: readonly Uint32Array[];
  private answers = 0;

  /**
   * @param alike what every answer tells.
   * @param varying objects of several outcomes.
   */
  constructor(
    private readonly alike: readonly Outcome[],
    private readonly varying: readonly (readonly Outcome[])[],
    private readonly onFirst: OnFirst,
  ) {
    this.counts = varying.map((outcomes) => new Uint32Array(outcomes.length));
  }

  /**
   * Counts an answer.
   *
   * @param chosen a UTF-16 unit for each varying object: the position of its outcome. Beyond the last it was not decided.
   */
  add(chosen: string): void {
    if (this.answers === 0) this.onFirst(this);
    this.answers += 1;
    for (let at = 0; at < chosen.length; at += 1) {
      const counts = this.counts[at] as Uint32Array;
      const outcome = chosen.charCodeAt(at);
      if (outcome < counts.length) counts[outcome] = (counts[outcome] as number) + 1;
    }
  }

  /** Hands over what was counted and begins anew. */
  drain(take: (outcome: Outcome, count: number) => void): void {
    for (const outcome of this.alike) take(outcome, this.answers);
    for (const [at, counts] of this.counts.entries()) {
      for (const [position, count] of counts.entries()) {
        if (count > 0) take(this.varying[at]?.[position] as Outcome, count);
      }
      counts.fill(0);
    }
    this.answers = 0;
  }
}
