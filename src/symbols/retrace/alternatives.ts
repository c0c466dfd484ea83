import type { RetracedFrame, RetraceResult } from './retrace-frame.js';

/** One of the inlined stacks a frame may come from, innermost first. */
export type Alternative = RetraceResult['alternatives'][number];

/**
 * Merges alternatives whose innermost frames print the same, and sorts the rest for stable output.
 *
 * @param verbose also print return and parameter types
 */
export function distinctAlternatives(
  all: readonly Alternative[],
  printedLine: number | null,
  verbose = false,
): Alternative[] {
  const distinct = new Map<string, Alternative>();
  const withLine = verbose || (printedLine ?? 0) > 0;
  for (const alternative of all) {
    const top = alternative.frames[0];
    if (top === undefined) continue;
    const key = JSON.stringify([
      top.className,
      top.method,
      top.sourceFile,
      withLine ? top.line : null,
      verbose ? top.signature : null,
    ]);
    if (!distinct.has(key)) distinct.set(key, alternative);
  }
  return [...distinct.values()].sort((a, b) => compareFrames(a.frames[0], b.frames[0]));
}

function compareFrames(a: RetracedFrame | undefined, b: RetracedFrame | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return (
    compare(a.className, b.className) ||
    compare(a.method, b.method) ||
    compare(a.signature?.returnType ?? '', b.signature?.returnType ?? '') ||
    (a.signature?.parameters.length ?? 0) - (b.signature?.parameters.length ?? 0) ||
    compare(a.signature?.parameters.join() ?? '', b.signature?.parameters.join() ?? '') ||
    compare(a.sourceFile, b.sourceFile) ||
    (a.line ?? -1) - (b.line ?? -1)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
