import type { Subject } from './subject.js';

/** Answers something about a subject. */
export type Question<Found> = (subject: Subject) => Found;

/**
 * What rules that are compiled together have in common: attributes, conditions and buckets that several of them ask for are
 * prepared once, and answered once for each subject.
 */
export class Compilation {
  private readonly known = new Map<string, Question<unknown>>();
  /** Tells the memory of this compilation from that of others (Subject, memory). */
  private readonly owner = {};

  /** The question of this name; `prepare` makes it when nobody has asked it before. An answer is never undefined. */
  question<Found>(name: string, prepare: () => Question<Found>): Question<Found> {
    const known = this.known.get(name);
    if (known) return known as Question<Found>;
    const question = remembered(this.owner, this.known.size, prepare());
    this.known.set(name, question);
    return question;
  }
}

function remembered<Found>(owner: object, place: number, answer: Question<Found>): Question<Found> {
  return (subject) => {
    const memory = subject.memory(owner);
    const known = memory[place];
    if (known !== undefined) return known as Found;
    const found = answer(subject);
    memory[place] = found;
    return found;
  };
}
