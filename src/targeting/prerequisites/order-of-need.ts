import type { Dependent } from './prerequisite.js';

/** Sorts flags after their prerequisites. In a cycle, which is never stored, one flag precedes its prerequisite. */
export function inOrderOfNeed<T extends Dependent>(flags: readonly T[]): T[] {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  const placed = new Set<T>();
  const place = (flag: T): void => {
    if (placed.has(flag)) return;
    byKey.delete(flag.key);
    for (const { key } of flag.prerequisites ?? []) {
      const needed = byKey.get(key);
      if (needed) place(needed);
    }
    placed.add(flag);
  };
  for (const flag of flags) place(flag);
  return [...placed];
}

/** A cycle of prerequisites through a flag, with the flag at both ends; null without one. */
export function circleThrough(key: string, flags: ReadonlyMap<string, Dependent>): string[] | null {
  const seen = new Set<string>();
  const follow = (at: string): string[] | null => {
    for (const { key: next } of flags.get(at)?.prerequisites ?? []) {
      if (next === key) return [at, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const rest = follow(next);
      if (rest) return [at, ...rest];
    }
    return null;
  };
  return follow(key);
}

/** Length of the longest prerequisite chain through a flag. There must be no cycle. */
export function chainThrough(key: string, flags: ReadonlyMap<string, Dependent>): number {
  const askedBy = new Map<string, string[]>();
  for (const flag of flags.values()) {
    for (const needed of flag.prerequisites ?? [])
      askedBy.set(needed.key, [...(askedBy.get(needed.key) ?? []), flag.key]);
  }
  const below = longest((at) => flags.get(at)?.prerequisites?.map((needed) => needed.key) ?? []);
  const above = longest((at) => askedBy.get(at) ?? []);
  return below(key) + above(key) - 1;
}

function longest(next: (key: string) => readonly string[]): (key: string) => number {
  const known = new Map<string, number>();
  const from = (key: string): number => {
    const length = known.get(key) ?? 1 + Math.max(0, ...next(key).map(from));
    known.set(key, length);
    return length;
  };
  return from;
}
