import { SymbolFileError } from '../symbol-file-error.js';
import { copyInto } from './copy-into.js';
import { LOCATION_STRIDE } from './table-format.js';

const FIRST_SLOTS = 1024;

/**
 * The distinct source locations of a table: function, file, line, column, and the location the function was inlined
 * into plus one (0: not inlined). Functions are builder numbers until they are named.
 *
 * Equal locations are only shared within one function: locations of different functions differ anyway, and the lookup
 * stays in a small, cached array.
 */
export class LocationPool {
  count = 0;
  /** By location, in the order of `table-format.ts`: function, file, line, column, parent. */
  fields: Uint32Array<ArrayBuffer>;
  private slots = new Int32Array(FIRST_SLOTS).fill(-1);
  private first = 0;

  /** `expected`: locations to allocate at once. `most`: the maximum number. */
  constructor(
    expected: number,
    private readonly most: number,
  ) {
    this.fields = new Uint32Array(expected * LOCATION_STRIDE);
  }

  /** Stops sharing locations with earlier ones. */
  beginFunction(): void {
    this.first = this.count;
  }

  /** `parent`: number of the location it was inlined into, −1 for none. */
  add(fn: number, file: number, line: number, column: number, parent: number): number {
    const { slots, fields, first } = this;
    const mask = slots.length - 1;
    const into = parent + 1;
    let slot = slotOf(fn, file, line, column, into) & mask;
    for (;;) {
      const known = slots[slot] as number;
      if (known < first) break;
      const at = known * LOCATION_STRIDE;
      if (
        fields[at + 2] === line &&
        fields[at] === fn &&
        fields[at + 4] === into &&
        fields[at + 3] === column &&
        fields[at + 1] === file
      ) {
        return known;
      }
      slot = (slot + 1) & mask;
    }
    const location = this.count++;
    if (location >= this.most)
      throw new SymbolFileError('too_complex', 'It has more inlined calls than a file of its size can have.');
    const at = location * LOCATION_STRIDE;
    if (at >= fields.length) this.fields = copyInto(new Uint32Array((at + LOCATION_STRIDE) * 2), fields);
    const target = this.fields;
    target[at] = fn;
    target[at + 1] = file;
    target[at + 2] = line;
    target[at + 3] = column;
    target[at + 4] = into;
    slots[slot] = location;
    if ((this.count - first) * 2 > slots.length) this.spread();
    return location;
  }

  private spread(): void {
    const { fields } = this;
    this.slots = new Int32Array(this.slots.length * 4).fill(-1);
    const mask = this.slots.length - 1;
    for (let location = this.first; location < this.count; location++) {
      const at = location * LOCATION_STRIDE;
      const [fn = 0, file = 0, line = 0, column = 0, into = 0] = fields.subarray(at, at + LOCATION_STRIDE);
      let slot = slotOf(fn, file, line, column, into) & mask;
      while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = location;
    }
  }
}

function slotOf(fn: number, file: number, line: number, column: number, into: number): number {
  const mixed = Math.imul(line, 0x9e3779b1) ^ Math.imul(fn + column, 0x85ebca6b) ^ Math.imul(into + file, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
