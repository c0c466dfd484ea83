const STRIDE = 4;

/**
 * A map from pairs of unsigned 32-bit integers to numbers from 0. It uses one flat array with each slot in one cache
 * line, which is several times as fast as a `Map`.
 */
export class PairNumbers {
  /** By slot: first, second, value + 1 (0: free), unused. */
  private slots = new Uint32Array(1024 * STRIDE);
  private mask = 1023;
  private count = 0;

  /** The number of a pair; −1 for none. */
  get(first: number, second: number): number {
    const { slots, mask } = this;
    for (let slot = slotOf(first, second) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * STRIDE;
      const value = slots[at + 2] as number;
      if (value === 0 || (slots[at] === first && slots[at + 1] === second)) return value - 1;
    }
  }

  add(first: number, second: number, value: number): void {
    this.count++;
    if (this.count * 2 > this.mask) this.spread();
    this.put(first, second, value + 1);
  }

  private put(first: number, second: number, value: number): void {
    const { slots, mask } = this;
    let slot = slotOf(first, second) & mask;
    while (slots[slot * STRIDE + 2] !== 0) slot = (slot + 1) & mask;
    slots[slot * STRIDE] = first;
    slots[slot * STRIDE + 1] = second;
    slots[slot * STRIDE + 2] = value;
  }

  private spread(): void {
    const { slots } = this;
    this.mask = this.mask * 4 + 3;
    this.slots = new Uint32Array((this.mask + 1) * STRIDE);
    for (let at = 0; at < slots.length; at += STRIDE) {
      const value = slots[at + 2] as number;
      if (value !== 0) this.put(slots[at] as number, slots[at + 1] as number, value);
    }
  }
}

function slotOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
