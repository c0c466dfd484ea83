import { anyOf } from '../any-of.js';

/** A parsed version: four numeric parts (missing ones are 0) and the pre-release identifiers, if any. */
export interface Version {
  readonly parts: readonly [number, number, number, number];
  readonly prerelease: readonly string[];
}

export type VersionRange = (version: Version) => boolean;

type Parts = [number, number, number, number];
type Order = (comparison: number) => boolean;

const versionText =
  /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
const COMPARATOR = /^(>=|<=|>|<|=|\^|~)?(.+)$/;
const PARTIAL = /^v?([^-+]*)(.*)$/;
const WILDCARD = /^(?:x|X|\*)$/;
const NUMERIC_IDENTIFIER = /^(?:0|[1-9]\d*)$/;
const LOWEST = ['0'];

/**
 * Parses a version according to Semantic Versioning 2.0.0, plus what app stores allow: a leading `v`, one to four
 * numeric parts, a pre-release. Build metadata is ignored.
 *
 * @returns null when the text is not a version.
 */
export function parseVersion(text: string): Version | null {
  const found = versionText.exec(text.trim());
  if (found === null) return null;
  const [, major, minor, patch, build, prerelease] = found;
  return {
    parts: [Number(major), Number(minor ?? 0), Number(patch ?? 0), Number(build ?? 0)],
    prerelease: prerelease === undefined ? [] : prerelease.split('.'),
  };
}

/** Precedence of two versions (Semantic Versioning 2.0.0, section 11): negative, zero or positive. */
export function compareVersions(left: Version, right: Version): number {
  for (let index = 0; index < left.parts.length; index += 1) {
    const difference = (left.parts[index] as number) - (right.parts[index] as number);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

/**
 * Parses a range: comparators separated by spaces must all hold, and alternatives are separated by `||`. A comparator
 * is `=`, `>`, `>=`, `<`, `<=`, `^`, `~` or nothing before a version; missing or `x` parts match any value (`2`,
 * `2.1.x`, `*`). A pre-release is an ordinary version below its release. The upper bounds implied by `^`, `~` and
 * missing parts exclude the pre-releases of that bound.
 *
 * @returns null when the text is not a range.
 */
export function parseVersionRange(text: string): VersionRange | null {
  const alternatives: VersionRange[][] = [];
  for (const alternative of text.split('||')) {
    const comparators = alternative
      .trim()
      .replace(/(>=|<=|>|<|=|\^|~)\s+/g, '$1')
      .split(/\s+/);
    const tests: VersionRange[] = [];
    for (const comparator of comparators) {
      const test = parseComparator(comparator);
      if (test === null) return null;
      tests.push(test);
    }
    alternatives.push(tests);
  }
  return anyOf(alternatives.map((tests) => tests.reduce(both)));
}

function parseComparator(text: string): VersionRange | null {
  const found = COMPARATOR.exec(text);
  if (found === null) return null;
  const operator = found[1] ?? '';
  const partial = parsePartial(found[2] ?? '');
  if (partial === null) return null;
  const { version, given } = partial;
  const end = upperEnd(operator, version.parts, given);
  switch (operator) {
    case '>':
      if (!partial.open) return against(version, (c) => c > 0);
      return end === null ? () => false : atLeast(end);
    case '>=':
      return against(version, (c) => c >= 0);
    case '<':
      return against(partial.open ? bottomOf(version) : version, (c) => c < 0);
    case '<=':
      return partial.open ? below(end) : against(version, (c) => c <= 0);
    default:
      if (end === null) return () => true;
      if (operator === '' || operator === '=') {
        if (!partial.open) return against(version, (c) => c === 0);
      }
      return both(
        against(version, (c) => c >= 0),
        below(end),
      );
  }
}

/** A version whose last parts can be missing; `open` means that it matches all versions with this prefix. */
function parsePartial(text: string): { version: Version; given: number; open: boolean } | null {
  const [, numbers = '', suffix = ''] = PARTIAL.exec(text) ?? [];
  const pieces = numbers.split('.');
  const firstWild = pieces.findIndex((piece) => WILDCARD.test(piece));
  if (firstWild >= 0) {
    if (suffix !== '' || !pieces.slice(firstWild).every((piece) => WILDCARD.test(piece))) return null;
    if (firstWild === 0) return { version: { parts: [0, 0, 0, 0], prerelease: LOWEST }, given: 0, open: true };
    pieces.length = firstWild;
  }
  const version = parseVersion(pieces.join('.') + suffix);
  if (version === null) return null;
  const given = version.prerelease.length > 0 ? Math.max(3, pieces.length) : pieces.length;
  return { version, given, open: firstWild >= 0 || given < 3 };
}

/** The first version above what a comparator with `given` parts covers; null for no upper bound. */
function upperEnd(operator: string, parts: readonly number[], given: number): Parts | null {
  if (given === 0) return null;
  const [major = 0, minor = 0, patch = 0] = parts;
  if (operator === '^') {
    if (major > 0 || given === 1) return [major + 1, 0, 0, 0];
    if (minor > 0 || given === 2) return [0, minor + 1, 0, 0];
    return [0, 0, patch + 1, 0];
  }
  if (given === 1) return [major + 1, 0, 0, 0];
  return operator === '~' || given === 2 ? [major, minor + 1, 0, 0] : [major, minor, patch + 1, 0];
}

const bottomOf = (version: Version): Version => ({ parts: version.parts, prerelease: LOWEST });

function atLeast(end: Parts): VersionRange {
  return against({ parts: end, prerelease: LOWEST }, (comparison) => comparison >= 0);
}

function below(end: Parts | null): VersionRange {
  return end === null ? () => true : against({ parts: end, prerelease: LOWEST }, (comparison) => comparison < 0);
}

function against(bound: Version, order: Order): VersionRange {
  return (version) => order(compareVersions(version, bound));
}

function both(left: VersionRange, right: VersionRange): VersionRange {
  return (version) => left(version) && right(version);
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    if (one === undefined) return -1;
    if (other === undefined) return 1;
    const difference = compareIdentifiers(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareIdentifiers(one: string, other: string): number {
  const [oneNumeric, otherNumeric] = [NUMERIC_IDENTIFIER.test(one), NUMERIC_IDENTIFIER.test(other)];
  if (oneNumeric && otherNumeric)
    return Math.sign(one.length - other.length) || (one < other ? -1 : one > other ? 1 : 0);
  if (oneNumeric !== otherNumeric) return oneNumeric ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}
