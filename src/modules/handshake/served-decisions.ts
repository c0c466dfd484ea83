import type { DecisionCounter } from '../quotas/decisions/decision-counter.js';
import type { DecisionCounts } from '../quotas/decisions/decision-counts.js';
import type { ServedOutcomes } from './answer.js';
import { OUTCOME_SOURCES, type OutcomeSource, type Snapshot } from './snapshot.js';

/** Counts what answers serve, including cached ones and those answered with a 304. */
export class ServedDecisions {
  private readonly known = new WeakMap<Snapshot, Map<OutcomeSource, DecisionCounts>>();

  constructor(private readonly counter: DecisionCounter) {}

  add(snapshot: Snapshot, served: ServedOutcomes): void {
    const known = this.countsOf(snapshot);
    for (const source of OUTCOME_SOURCES) {
      const outcomes = served[source];
      if (outcomes === null) continue;
      let counts = known.get(source);
      if (!counts) {
        const { alike, varying } = snapshot.outcomes[source]();
        counts = this.counter.counts(alike, varying);
        known.set(source, counts);
      }
      counts.add(outcomes);
    }
  }

  addFlag({ flagIds }: Snapshot, key: string, version: number, variant: string): void {
    const objectId = flagIds.get(key);
    if (objectId !== undefined) this.counter.add({ objectId, version, outcome: variant });
  }

  private countsOf(snapshot: Snapshot): Map<OutcomeSource, DecisionCounts> {
    let known = this.known.get(snapshot);
    if (!known) {
      known = new Map();
      this.known.set(snapshot, known);
    }
    return known;
  }
}
