import { copyInto } from './copy-into.js';
import { IntervalPaint } from './interval-paint.js';
import { BARE, type TableBuilder } from './table-builder.js';
import { NO_LOCATION } from './table-format.js';

/** The final entries of a table, in address order, without overlap. */
export class EntryList {
  private addresses: Uint32Array<ArrayBuffer>;
  private locations: Uint32Array<ArrayBuffer>;
  private count = 0;
  private reached = 0;

  /** `fillGap` may add entries for addresses that no block covers. `expected`: entries to allocate at once. */
  constructor(
    private readonly fillGap: (low: number, high: number, list: EntryList) => void,
    expected: number,
  ) {
    this.addresses = new Uint32Array(expected + 1024);
    this.locations = new Uint32Array(expected + 1024);
  }

  /** Appends `[low, high)`. `low` must not be below an earlier `high`. */
  append(low: number, high: number, location: number): void {
    if (low > this.reached) {
      const gap = this.reached;
      this.reached = low;
      this.push(gap, NO_LOCATION);
      this.fillGap(gap, low, this);
    }
    this.push(low, location);
    this.reached = high;
  }

  /** Appends inside the gap being filled. */
  push(address: number, location: number): void {
    if (this.count > 0) {
      if (this.addresses[this.count - 1] === address) this.count--;
      if (this.count > 0 && this.locations[this.count - 1] === location) return;
    }
    if (this.count >= this.addresses.length) {
      this.addresses = copyInto(new Uint32Array(this.count * 2), this.addresses);
      this.locations = copyInto(new Uint32Array(this.count * 2), this.locations);
    }
    this.addresses[this.count] = address;
    this.locations[this.count] = location;
    this.count++;
  }

  finish(): { addresses: Uint32Array; locations: Uint32Array } {
    const gap = this.reached;
    this.push(gap, NO_LOCATION);
    this.fillGap(gap, 0xffffffff, this);
    return { addresses: this.addresses.subarray(0, this.count), locations: this.locations.subarray(0, this.count) };
  }
}

/**
 * Sorts the builder's blocks by address. Where blocks overlap, a function hides line rows without a function; an
 * earlier unit hides a later one (folded identical code); within a unit the later function hides the earlier one.
 */
export function assembleEntries(builder: TableBuilder, list: EntryList): void {
  const order = blocksByAddress(builder);
  const paint = new IntervalPaint();
  for (let from = 0; from < order.length; ) {
    const block = order[from] as number;
    let high = builder.blockHigh[block] as number;
    let to = from + 1;
    while (to < order.length && (builder.blockLow[order[to] as number] as number) < high) {
      high = Math.max(high, builder.blockHigh[order[to] as number] as number);
      to++;
    }
    if (to === from + 1) copyPart(builder, list, block, builder.blockLow[block] as number, high);
    else {
      const cluster = order.slice(from, to).sort((a, b) => compareRank(builder, a, b));
      const lows = Uint32Array.from(cluster, (each) => builder.blockLow[each] as number);
      const highs = Uint32Array.from(cluster, (each) => builder.blockHigh[each] as number);
      paint.paint(cluster.length, lows, highs, (low, end, index) =>
        copyPart(builder, list, cluster[index] as number, low, end),
      );
    }
    from = to;
  }
}

function compareRank(builder: TableBuilder, a: number, b: number): number {
  const unitA = builder.blockUnit[a] as number;
  const unitB = builder.blockUnit[b] as number;
  if (unitA === unitB) return a - b;
  if (unitA === BARE) return -1;
  if (unitB === BARE) return 1;
  return unitB - unitA;
}

function blocksByAddress(builder: TableBuilder): Uint32Array {
  const order = new Uint32Array(builder.blockCount);
  let ascending = true;
  for (let block = 0; block < order.length; block++) {
    order[block] = block;
    if (block > 0 && (builder.blockLow[block] as number) < (builder.blockLow[block - 1] as number)) ascending = false;
  }
  if (ascending) return order;
  return order.sort((a, b) => (builder.blockLow[a] as number) - (builder.blockLow[b] as number) || a - b);
}

/** Copies a block's entries for `[low, high)`. */
function copyPart(builder: TableBuilder, list: EntryList, block: number, low: number, high: number): void {
  const last = builder.blockEnd(block);
  let at = builder.blockFirst[block] as number;
  if (low > (builder.address[at] as number)) {
    let top = last;
    while (at + 1 < top) {
      const middle = (at + top) >>> 1;
      if ((builder.address[middle] as number) <= low) at = middle;
      else top = middle;
    }
  }
  for (; at < last; at++) {
    const start = Math.max(low, builder.address[at] as number);
    if (start >= high) break;
    const next = at + 1 < last ? (builder.address[at + 1] as number) : high;
    list.append(start, Math.min(next, high), builder.location[at] as number);
  }
}
