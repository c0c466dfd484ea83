/** What can be served for a flag or config item: an outcome in one of its versions. */
export interface Outcome {
  readonly objectId: string;
  readonly version: number;
  readonly outcome: string;
}

/** Called when something is counted for the first time since {@link DecisionCounts.drain}. */
export type OnFirst = (counts: DecisionCounts) => void;

/** In-memory counts of decisions that are served together: an answer is one outcome of each object. */
export class DecisionCounts {
  /** All varying objects in one array: with an array for each, an answer would touch as many places in memory. */
  private readonly counts: Uint32Array;
  /** Where the counts of each varying object begin, and where the last end. */
  private readonly begins: Uint32Array;
  private answers = 0;

  /**
   * @param alike what every answer serves.
   * @param varying objects with several outcomes.
   */
  constructor(
    private readonly alike: readonly Outcome[],
    private readonly varying: readonly (readonly Outcome[])[],
    private readonly onFirst: OnFirst,
  ) {
    this.begins = new Uint32Array(varying.length + 1);
    for (const [at, outcomes] of varying.entries()) this.begins[at + 1] = this.beginOf(at) + outcomes.length;
    this.counts = new Uint32Array(this.beginOf(varying.length));
  }

  /**
   * Counts an answer.
   *
   * @param chosen a UTF-16 unit for each varying object: the index of its outcome. Beyond the last it wasn't decided.
   */
  add(chosen: string): void {
    if (this.answers === 0) this.onFirst(this);
    this.answers += 1;
    const { counts } = this;
    for (let at = 0; at < chosen.length; at += 1) {
      const place = this.beginOf(at) + chosen.charCodeAt(at);
      if (place < this.beginOf(at + 1)) counts[place] = (counts[place] as number) + 1;
    }
  }

  /** Returns the counts and starts over. */
  drain(take: (outcome: Outcome, count: number) => void): void {
    for (const outcome of this.alike) take(outcome, this.answers);
    for (const [at, outcomes] of this.varying.entries()) {
      for (const [position, outcome] of outcomes.entries()) {
        const count = this.counts[this.beginOf(at) + position] as number;
        if (count > 0) take(outcome, count);
      }
    }
    this.counts.fill(0);
    this.answers = 0;
  }

  private beginOf(object: number): number {
    return this.begins[object] as number;
  }
}
