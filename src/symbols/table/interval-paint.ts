import { SymbolFileError } from '../symbol-file-error.js';

const MOST_MOVES = 100_000_000;
const EASY_MOVES = 48;
const RADIX = 2097152;

/**
 * Paints intervals over each other in order and reports what stays visible: `visible(low, high, index)` is called in
 * ascending order, without overlap, for parts of the given intervals. Bounds are unsigned 32-bit integers. Inlined
 * calls come nearly sorted and nested, which takes linear time; intervals that overlap in the opposite order are
 * bounded by `too_complex`.
 */
export class IntervalPaint {
  private order = new Int32Array(64);
  private stack = new Int32Array(64);
  private moves = 0;

  paint(
    count: number,
    lows: Uint32Array,
    highs: Uint32Array,
    visible: (low: number, high: number, index: number) => void,
  ): void {
    if (count === 1) {
      if ((lows[0] as number) < (highs[0] as number)) visible(lows[0] as number, highs[0] as number, 0);
      return;
    }
    if (this.order.length < count) {
      this.order = new Int32Array(count * 2);
      this.stack = new Int32Array(count * 2);
    }
    this.sort(count, lows);
    const { order, stack } = this;
    let size = 0;
    let at = 0;
    for (let step = 0; step <= count; step++) {
      const index = step < count ? (order[step] as number) : -1;
      const limit = index < 0 ? 0xffffffff : (lows[index] as number);
      while (size > 0 && at < limit) {
        const top = stack[size - 1] as number;
        const end = highs[top] as number;
        if (end <= at) {
          size--;
          continue;
        }
        const until = Math.min(end, limit);
        visible(at, until, top);
        at = until;
      }
      if (index < 0) break;
      at = limit;
      if ((highs[index] as number) <= limit) continue;
      let place = size++;
      while (place > 0 && (stack[place - 1] as number) > index) {
        stack[place] = stack[place - 1] as number;
        place--;
        this.moved(1);
      }
      stack[place] = index;
    }
  }

  /** Sorts the indexes by lower bound, stably. */
  private sort(count: number, lows: Uint32Array): void {
    const { order } = this;
    let moves = count * EASY_MOVES;
    order[0] = 0;
    for (let index = 1; index < count; index++) {
      const low = lows[index] as number;
      let place = index;
      while (place > 0 && (lows[order[place - 1] as number] as number) > low) {
        order[place] = order[place - 1] as number;
        place--;
      }
      order[place] = index;
      moves -= index - place;
      if (moves < 0) {
        this.sortAll(count, lows);
        return;
      }
    }
  }

  private sortAll(count: number, lows: Uint32Array): void {
    if (count >= RADIX)
      throw new SymbolFileError('too_complex', 'A function has more ranges than any compiler generates.');
    const keys = new Float64Array(count);
    for (let index = 0; index < count; index++) keys[index] = (lows[index] as number) * RADIX + index;
    keys.sort();
    for (let place = 0; place < count; place++) this.order[place] = (keys[place] as number) % RADIX;
  }

  private moved(steps: number): void {
    this.moves += steps;
    if (this.moves > MOST_MOVES)
      throw new SymbolFileError('too_complex', 'Functions overlap more than any compiler generates.');
  }
}
