import type { Subject } from './subject.js';

/** Computes something about a subject. */
export type Question<Found> = (subject: Subject) => Found;

/**
 * Shared by rules that are compiled together: attributes, conditions and buckets that several of them use are prepared
 * once, and evaluated once per subject.
 */
export class Compilation {
  private readonly known = new Map<string, Shared<unknown>>();
  private readonly conditions = new Map<string, number>();
  /** Separates this compilation's memory from that of others (Subject, memory). */
  private readonly owner = { places: 0 };

  /** The question with this name, created by `prepare` on first use. An answer must not be undefined. */
  question<Found>(name: string, prepare: () => Question<Found>): Question<Found> {
    const known = this.known.get(name);
    if (known) {
      // A question used by only one rule is not worth a memory slot.
      if (known.place < 0) known.place = this.owner.places++;
      return known.ask as Question<Found>;
    }
    const shared = sharedQuestion(this.owner, prepare());
    this.known.set(name, shared);
    return shared.ask;
  }

  /** A 0-based slot for another condition on an attribute. */
  placeAt(attribute: string): number {
    const place = this.conditions.get(attribute) ?? 0;
    this.conditions.set(attribute, place + 1);
    return place;
  }
}

interface Shared<Found> {
  readonly ask: Question<Found>;
  /** The memory slot of the answer; negative while only one rule uses it. */
  place: number;
}

function sharedQuestion<Found>(owner: { readonly places: number }, answer: Question<Found>): Shared<Found> {
  const shared: Shared<Found> = {
    place: -1,
    ask: (subject) => {
      const { place } = shared;
      if (place < 0) return answer(subject);
      const memory = subject.memory(owner);
      const known = memory[place];
      if (known !== undefined) return known as Found;
      const found = answer(subject);
      memory[place] = found;
      return found;
    },
  };
  return shared;
}
