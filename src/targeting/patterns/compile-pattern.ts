import { type CharacterSet, holdsCharacter } from './character-set.js';
import { PatternProblem, type PatternTree, parsePattern } from './parse-pattern.js';

/** Maximum number of characters and character classes in a pattern, counting repetitions. */
export const MOST_POSITIONS = 128;
const MOST_EDGES = 4_000;
const MOST_KNOWN = 512;

/** Whether a text contains a match, anywhere unless anchored with `^` and `$`. */
export type Pattern = (text: string) => boolean;

type When = 'always' | 'start' | 'end';

export interface CompiledPattern {
  readonly matches: Pattern;
  /** Estimated worst-case nanoseconds per character of text. */
  readonly cost: number;
}

/**
 * Compiles a pattern (see parse-pattern.ts) into a Glushkov automaton whose positions are followed in parallel: the
 * time is at most the length of the text times the number of positions, for any pattern and text. Most positions are
 * followed only by their neighbor; those are advanced together with one shift.
 *
 * @throws PatternProblem when the text is not a pattern, or one with more than {@link MOST_POSITIONS} positions.
 */
export function compilePattern(text: string): CompiledPattern {
  const { tree, folded } = parsePattern(text);
  const graph = new Graph();
  const [entry, exit] = [graph.state(), graph.state()];
  graph.add(tree, entry, exit);
  const { positions } = graph;
  const words = (positions.length >> 5) + 1;
  const [atStart, empty] = [graph.reached(entry, exit, words, 'start'), graph.reached(entry, exit, words, 'both')];
  const inside = graph.reached(entry, exit, words, null);
  const [shifting, special, done, doneAtEnd] = [bits(words), bits(words), bits(words), bits(words)];
  let specials = 0;
  const further = positions.map(({ to }, at) => {
    const { set: follow, ...fulfilled } = graph.reached(to, exit, words, null);
    if (fulfilled.done) set(done, at);
    if (fulfilled.doneAtEnd) set(doneAtEnd, at);
    if (at + 1 < positions.length && has(follow, at + 1)) {
      set(shifting, at);
      clear(follow, at + 1);
    }
    if (follow.some((word) => word !== 0)) {
      specials += 1;
      set(special, at);
    }
    return follow;
  });
  const masks = new Map<number, Int32Array>();
  // Active positions; matching is synchronous, so one buffer can be shared.
  const [one, other] = [bits(words), bits(words)];
  const isBoundToStart = !inside.doneAtEnd && inside.set.every((word) => word === 0);

  function maskOf(code: number): Int32Array {
    const known = masks.get(code);
    if (known) return known;
    if (masks.size >= MOST_KNOWN) masks.clear();
    const mask = bits(words);
    for (const [at, { characters }] of positions.entries()) if (holdsCharacter(characters, code, folded)) set(mask, at);
    masks.set(code, mask);
    return mask;
  }

  const matches: Pattern = (subject) => {
    if (atStart.done || (subject === '' && empty.done)) return true;
    let [active, next] = [one, other];
    active.set(atStart.set);
    for (let index = 0; index < subject.length; ) {
      const code = subject.codePointAt(index) as number;
      index += code > 0xffff ? 2 : 1;
      const ends = index >= subject.length;
      if (ends && inside.doneAtEnd) return true;
      const mask = maskOf(code);
      next.set(inside.set);
      let [carried, left] = [0, 0];
      for (let word = 0; word < words; word += 1) {
        const live = (active[word] as number) & (mask[word] as number);
        if ((live & ((done[word] as number) | (ends ? (doneAtEnd[word] as number) : 0))) !== 0) return true;
        const moving = live & (shifting[word] as number);
        next[word] = (next[word] as number) | (moving << 1) | carried;
        carried = moving >>> 31;
        left |= live;
        for (let specials = live & (special[word] as number); specials !== 0; ) {
          const bit = 31 - Math.clz32(specials);
          specials ^= 1 << bit;
          const follow = further[word * 32 + bit] as Int32Array;
          for (let part = 0; part < words; part += 1) next[part] = (next[part] as number) | (follow[part] as number);
        }
      }
      if (left === 0 && isBoundToStart) return false;
      [active, next] = [next, active];
    }
    return false;
  };
  return { matches, cost: 20 + 8 * words + specials * (4 + 2 * words) };
}

/** The possible next positions, and whether the pattern matches now or if the text ends here. */
interface Reached {
  readonly set: Int32Array;
  readonly done: boolean;
  readonly doneAtEnd: boolean;
}

/** States connected by edges that consume no character, and positions that consume one. */
class Graph {
  readonly positions: { readonly characters: CharacterSet; readonly to: number }[] = [];
  private readonly free: { to: number; when: When }[][] = [];
  private readonly taking: number[][] = [];
  private edges = 0;

  state(): number {
    this.taking.push([]);
    return this.free.push([]) - 1;
  }

  /** Adds a tree between two states. */
  add(tree: PatternTree, from: number, to: number): void {
    if (tree.kind === 'characters') this.take(tree, from, to);
    else if (tree.kind === 'choice') for (const part of tree.parts) this.add(part, from, to);
    else if (tree.kind === 'sequence') this.join(tree.parts, from, to);
    else if (tree.kind === 'many') this.repeat(tree, from, to);
    else this.pass(from, to, tree.kind);
  }

  /** What can be reached from a state without consuming a character. */
  reached(from: number, exit: number, words: number, where: 'start' | 'both' | null): Reached {
    const found = new Int32Array(words);
    const walk = (allowed: (when: When) => boolean, collect: boolean) => {
      const [seen, waiting] = [new Set([from]), [from]];
      for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
        if (collect) for (const position of this.taking[state] ?? []) set(found, position);
        for (const { to, when } of this.free[state] ?? []) {
          if (seen.has(to) || !allowed(when)) continue;
          seen.add(to);
          waiting.push(to);
        }
      }
      return seen.has(exit);
    };
    const starts = where !== null;
    const done = walk(
      (when) => when === 'always' || (starts && when === 'start') || (where === 'both' && when === 'end'),
      true,
    );
    return { set: found, done, doneAtEnd: walk((when) => when !== 'start' || starts, false) };
  }

  private join(parts: readonly PatternTree[], from: number, to: number): void {
    let at = from;
    for (const part of parts) {
      const next = this.state();
      this.add(part, at, next);
      at = next;
    }
    this.pass(at, to, 'always');
  }

  private repeat({ part, least, most }: PatternTree & { kind: 'many' }, from: number, to: number): void {
    let at = from;
    const rounds = most ?? Math.max(least, 1);
    for (let round = 0; round < rounds; round += 1) {
      if (round >= least) this.pass(at, to, 'always');
      const [first, next] = [this.state(), this.state()];
      this.pass(at, first, 'always');
      this.add(part, first, next);
      if (most === null && round === rounds - 1) this.pass(next, first, 'always');
      at = next;
    }
    this.pass(at, to, 'always');
  }

  private take(characters: CharacterSet, from: number, to: number): void {
    if (this.positions.length >= MOST_POSITIONS)
      throw new PatternProblem(`describes more than ${MOST_POSITIONS} characters`);
    this.taking[from]?.push(this.positions.push({ characters, to }) - 1);
  }

  private pass(from: number, to: number, when: When): void {
    this.edges += 1;
    if (this.edges > MOST_EDGES) throw new PatternProblem('has too many nested repetitions');
    this.free[from]?.push({ to, when });
  }
}

const bits = (words: number): Int32Array => new Int32Array(words);

const has = (set: Int32Array, at: number): boolean => (((set[at >> 5] as number) >>> (at & 31)) & 1) === 1;

function set(bits: Int32Array, at: number): void {
  bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
}

function clear(bits: Int32Array, at: number): void {
  bits[at >> 5] = (bits[at >> 5] as number) & ~(1 << (at & 31));
}
