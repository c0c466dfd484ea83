import { ANY_CHARACTER, type CharacterRanges, type CharacterSet, NAMED_CLASSES } from './character-set.js';

/** A pattern as a tree. `many` repeats its part from `least` to `most` times; `most` is null for no limit. */
export type PatternTree =
  | ({ readonly kind: 'characters' } & CharacterSet)
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'many'; readonly part: PatternTree; readonly least: number; readonly most: number | null };

/** Why a text is not a pattern, worded to follow its path. */
export class PatternProblem extends Error {}

const MOST_REPEATS = 100;
const MOST_DEPTH = 20;
const COUNT = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y;
const CONTROLS = new Map([
  ['n', 10],
  ['r', 13],
  ['t', 9],
]);
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Parses a pattern: the part of RE2's syntax (github.com/google/re2, wiki Syntax) without assertions except `^` and
 * `$`: characters, `.`, classes, `\d \w \s` and their negations, groups, `|`, `* + ? {n,m}`, and a leading `(?i)`.
 *
 * @throws PatternProblem when the text is not such a pattern.
 */
export function parsePattern(text: string): { tree: PatternTree; folded: boolean } {
  const folded = text.startsWith('(?i)');
  return { tree: new Reader(text, folded ? 4 : 0).whole(), folded };
}

class Reader {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  whole(): PatternTree {
    const tree = this.choice(0);
    if (this.at < this.text.length) this.fail('an unmatched ")"');
    return tree;
  }

  private choice(depth: number): PatternTree {
    if (depth > MOST_DEPTH) this.fail(`more than ${MOST_DEPTH} nested groups`);
    const parts = [this.sequence(depth)];
    while (this.took('|')) parts.push(this.sequence(depth));
    return parts.length === 1 ? (parts[0] as PatternTree) : { kind: 'choice', parts };
  }

  private sequence(depth: number): PatternTree {
    const parts: PatternTree[] = [];
    while (this.at < this.text.length && !this.sees('|') && !this.sees(')')) parts.push(this.repeated(depth));
    return { kind: 'sequence', parts };
  }

  private repeated(depth: number): PatternTree {
    const part = this.single(depth);
    const count = this.count();
    if (count === null) return part;
    // A lazy repetition matches the same texts.
    this.took('?');
    if (this.count() !== null) this.fail('a repetition of a repetition');
    return { kind: 'many', part, ...count };
  }

  private count(): { least: number; most: number | null } | null {
    if (this.took('*')) return { least: 0, most: null };
    if (this.took('+')) return { least: 1, most: null };
    if (this.took('?')) return { least: 0, most: 1 };
    COUNT.lastIndex = this.at;
    const found = COUNT.exec(this.text);
    if (found === null) return null;
    const [all, least = '', comma, end] = found;
    const range = { least: Number(least), most: end ? Number(end) : comma ? null : Number(least) };
    if (Math.max(range.least, range.most ?? 0) > MOST_REPEATS) this.fail(`more than ${MOST_REPEATS} repetitions`);
    if (range.most !== null && range.most < range.least) this.fail('a repetition whose maximum is below its minimum');
    this.at += all.length;
    return range;
  }

  private single(depth: number): PatternTree {
    if (this.took('(')) return this.group(depth);
    if (this.took('^')) return { kind: 'start' };
    if (this.took('$')) return { kind: 'end' };
    if (this.took('.')) return { kind: 'characters', ranges: ANY_CHARACTER, negated: false };
    if (this.took('[')) return { kind: 'characters', ...this.characterClass() };
    if (this.sees('*') || this.sees('+') || this.sees('?')) this.fail('a repetition of nothing');
    return { kind: 'characters', ranges: this.character(), negated: false };
  }

  private group(depth: number): PatternTree {
    if (this.took('?') && !this.took(':')) this.fail('a group that is neither (…) nor (?:…)');
    const inside = this.choice(depth + 1);
    if (!this.took(')')) this.fail('a group that is not closed');
    return inside;
  }

  private characterClass(): CharacterSet {
    const negated = this.took('^');
    const ranges: (readonly [number, number])[] = [];
    do {
      const first = this.character();
      const [from, single] = [first[0]?.[0] ?? 0, first.length === 1 && first[0]?.[0] === first[0]?.[1]];
      if (!this.sees('-') || this.text[this.at + 1] === ']') {
        ranges.push(...first);
        continue;
      }
      this.at += 1;
      const last = this.character();
      const to = last[0]?.[1] ?? 0;
      if (!single || last.length !== 1 || last[0]?.[0] !== to || to < from) this.fail('a range in reverse order');
      ranges.push([from, to]);
    } while (!this.took(']'));
    return { ranges, negated };
  }

  private character(): CharacterRanges {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) this.fail('a class that is not closed');
    if (this.took('\\')) return this.escaped();
    this.at += code > 0xffff ? 2 : 1;
    return [[code, code]];
  }

  private escaped(): CharacterRanges {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) this.fail('a trailing backslash');
    const named = String.fromCodePoint(code);
    const ranges = NAMED_CLASSES.get(named);
    if (ranges === undefined && !CONTROLS.has(named) && LETTER.test(named)) this.fail(`the unknown escape \\${named}`);
    this.at += named.length;
    const exact = CONTROLS.get(named) ?? code;
    return ranges ?? [[exact, exact]];
  }

  private sees(character: string): boolean {
    return this.text[this.at] === character;
  }

  private took(character: string): boolean {
    if (!this.sees(character)) return false;
    this.at += 1;
    return true;
  }

  private fail(what: string): never {
    throw new PatternProblem(`has ${what}, at character ${this.at + 1}`);
  }
}
