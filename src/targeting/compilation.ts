import type { Subject } from './subject.js';

/** Answers something about a subject. */
export type Question<Found> = (subject: Subject) => Found;

/**
 * What rules that are compiled together have in common: attributes, conditions and buckets that several of them ask for are
 * prepared once, and answered once for each subject.
 */
export class Compilation {
  private readonly known = new Map<string, Shared<unknown>>();
  private readonly conditions = new Map<string, number>();
  /** Tells the memory of this compilation from that of others (Subject, memory). */
  private readonly owner = { places: 0 };

  /** The question of this name; `prepare` makes it when nobody has asked it before. An answer is never undefined. */
  question<Found>(name: string, prepare: () => Question<Found>): Question<Found> {
    const known = this.known.get(name);
    if (known) {
      // What one rule alone asks for is not worth a place in memory.
      if (known.place < 0) known.place = this.owner.places++;
      return known.ask as Question<Found>;
    }
    const shared = sharedQuestion(this.owner, prepare());
    this.known.set(name, shared);
    return shared.ask;
  }

  /** A place for another condition on an attribute, counted from 0. */
  placeAt(attribute: string): number {
    const place = this.conditions.get(attribute) ?? 0;
    this.conditions.set(attribute, place + 1);
    return place;
  }
}

interface Shared<Found> {
  readonly ask: Question<Found>;
  /** Where subjects keep the answer; negative while there is one asker. */
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
