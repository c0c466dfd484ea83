/** A call that was inlined into its caller, over a range of addresses. Names are string numbers. */
export interface InlinedCall {
  /** 0: inlined into the function itself. */
  depth: number;
  low: number;
  high: number;
  /** The position of the call in its caller. */
  file: number;
  line: number;
  origin: number;
}

/** Splits `[low, high)` into parts with the same inlined calls, outermost first. */
export function* inlinedAt(
  inlined: readonly InlinedCall[],
  low: number,
  high: number,
): Generator<{ low: number; high: number; calls: InlinedCall[] }> {
  const near = inlined.filter((call) => call.low < high && call.high > low);
  const bounds = new Set([low, high]);
  for (const call of near) {
    if (call.low > low) bounds.add(call.low);
    if (call.high < high) bounds.add(call.high);
  }
  const sorted = [...bounds].sort((a, b) => a - b);
  for (let index = 0; index + 1 < sorted.length; index++) {
    const from = sorted[index] as number;
    const calls: InlinedCall[] = [];
    for (const call of near) if (call.low <= from && call.high > from) calls[call.depth] ??= call;
    // A call without its caller cannot be placed.
    let known = 0;
    while (calls[known] !== undefined) known += 1;
    yield { low: from, high: sorted[index + 1] as number, calls: calls.slice(0, known) };
  }
}
