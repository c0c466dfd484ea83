/** Code points, as inclusive ranges. */
export type CharacterRanges = readonly (readonly [number, number])[];

/** The code points of the ranges, or all but those. */
export interface CharacterSet {
  readonly ranges: CharacterRanges;
  readonly negated: boolean;
}

const LAST = 0x10ffff;

/** `.`: everything but a line feed, as in RE2. */
export const ANY_CHARACTER: CharacterRanges = complement([[10, 10]]);

const DIGITS: CharacterRanges = [[48, 57]];
const WORD: CharacterRanges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const SPACES: CharacterRanges = [
  [9, 10],
  [12, 13],
  [32, 32],
];

/** The classes written as a backslash and a letter, ASCII only, as in RE2. */
export const NAMED_CLASSES: ReadonlyMap<string, CharacterRanges> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACES],
  ['S', complement(SPACES)],
]);

/** Every code point not in the ranges. */
function complement(ranges: CharacterRanges): CharacterRanges {
  const left: [number, number][] = [];
  let from = 0;
  for (const [first, last] of [...ranges].sort((one, other) => one[0] - other[0])) {
    if (first > from) left.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  if (from <= LAST) left.push([from, LAST]);
  return left;
}

/** Whether a set contains a code point, ignoring case when `folded`. */
export function holdsCharacter({ ranges, negated }: CharacterSet, code: number, folded: boolean): boolean {
  return lieIn(ranges, code, folded) !== negated;
}

function lieIn(ranges: CharacterRanges, code: number, folded: boolean): boolean {
  if (ranges.some(([first, last]) => code >= first && code <= last)) return true;
  if (!folded) return false;
  const character = String.fromCodePoint(code);
  return [character.toLowerCase(), character.toUpperCase()].some((other) => {
    const changed = other.codePointAt(0) as number;
    return String.fromCodePoint(changed) === other && changed !== code && lieIn(ranges, changed, false);
  });
}
