import type { ClassMapping, LineRange, MappedRange } from './class-mapping.js';

/** The ranges of one original method among those with the same obfuscated name. */
export interface MethodRanges {
  ranges: MappedRange[];
  /** The original method behind the obfuscated one: the outermost of every inline group. */
  outermost: MappedRange;
  /** A compiler-generated method, whose frames are left out. */
  synthesized: boolean;
  /** The method is an outline: its line determines its caller's position. */
  outline: boolean;
}

/** R8 writes 0:65535 for a method whose lines were all dropped. */
const CATCH_ALL_TO = 65_535;

export function sameRange(a: LineRange | null, b: LineRange | null): boolean {
  return a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to && a.cardinal === b.cardinal);
}

/** Number of lines; a cardinal range counts as one. */
export const spanOf = (range: LineRange): number => (range.cardinal ? 1 : range.to - range.from + 1);

export function contains(range: LineRange | null, line: number): boolean {
  return range !== null && range.from <= line && line <= range.to;
}

/** Splits the ranges of an obfuscated method name into original methods; overloads may share a name. */
export function methodsNamed(mapping: ClassMapping, residual: string): MethodRanges[] {
  const all = mapping.methods.get(residual) ?? [];
  const groups = inlineGroups(all);
  const flagged = flaggedMethods(groups);
  const first = groups[0];
  const last = groups.at(-1);
  if (first === undefined || last === undefined) return [];
  const parts: MappedRange[][] = [];
  let signature = '';
  // If first and last method are the same there are no overloads, even when a group in between looks like one.
  const single = signatureOf(outermostOf(first)) === signatureOf(outermostOf(last));
  for (const group of groups) {
    const next = signatureOf(outermostOf(group));
    if (parts.length === 0 || (!single && next !== signature)) parts.push([]);
    parts.at(-1)?.push(...group);
    signature = next;
  }
  return parts.map((ranges) => {
    const outermost = outermostOf(ranges);
    const flags = flagged.get(signatureOf(outermost));
    return { ranges, outermost, synthesized: flags !== undefined, outline: flags === 'outline' };
  });
}

/** The group of ranges for this line: the first range that contains it and the following ones with the same lines. */
export function rangesForLine(method: MethodRanges, line: number, orWithoutLines: boolean): MappedRange[] {
  const { ranges } = method;
  const start = ranges.findIndex((range) => contains(range.minified, line));
  if (start < 0) {
    const general = orWithoutLines ? ranges.find((range) => range.minified === null) : undefined;
    return general === undefined ? [] : [general];
  }
  let end = start + 1;
  while (end < ranges.length && sameRange(ranges[end]?.minified ?? null, ranges[start]?.minified ?? null)) end += 1;
  return ranges.slice(start, end);
}

export function isSingleCatchAll(method: MethodRanges): boolean {
  const [only, ...more] = method.ranges;
  return more.length === 0 && only?.minified?.from === 0 && only.minified.to === CATCH_ALL_TO;
}

function signatureOf(range: MappedRange): string {
  return `${range.holder ?? ''} ${range.returnType} ${range.method}(${range.parameters.join(',')})`;
}

const outermostOf = (group: MappedRange[]): MappedRange => group.at(-1) as MappedRange;

/** Consecutive ranges with the same lines form one inlined stack, however its call sites are written. */
function inlineGroups(ranges: MappedRange[]): MappedRange[][] {
  const groups: MappedRange[][] = [];
  for (const range of ranges) {
    const previous = groups.at(-1)?.at(-1);
    const inlinedInto = previous?.minified != null && sameRange(previous.minified, range.minified);
    if (inlinedInto) groups.at(-1)?.push(range);
    else groups.push([range]);
  }
  return groups;
}

/** A comment at any of its ranges marks the whole method. */
function flaggedMethods(groups: MappedRange[][]): Map<string, 'synthesized' | 'outline'> {
  const flagged = new Map<string, 'synthesized' | 'outline'>();
  for (const group of groups) {
    const outermost = outermostOf(group);
    for (const { kind } of outermost.comments) {
      if (kind === 'outline') flagged.set(signatureOf(outermost), kind);
      if (kind === 'synthesized' && !flagged.has(signatureOf(outermost))) flagged.set(signatureOf(outermost), kind);
    }
  }
  return flagged;
}
