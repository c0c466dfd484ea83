import type { ContainerIndex } from './container-index.js';

const DEEPEST = 1024;

/** The open containers during the walk. A container is added to the index once it contains a function. */
export class ContainerStack {
  private readonly offsets = new Float64Array(DEEPEST);
  private readonly numbers = new Int32Array(DEEPEST);
  private readonly depths = new Int32Array(DEEPEST);
  private top = 0;

  constructor(private readonly index: ContainerIndex) {}

  /** Opens a container whose children begin at `depth`. Too deeply nested containers are left out of names. */
  push(offset: number, depth: number): void {
    if (this.top >= DEEPEST) return;
    this.offsets[this.top] = offset;
    this.numbers[this.top] = -1;
    this.depths[this.top] = depth;
    this.top++;
  }

  /** Closes the container whose children at `depth` end at `offset`. */
  leave(depth: number, offset: number): void {
    while (this.top > 0 && (this.depths[this.top - 1] as number) >= depth) {
      this.top--;
      const number = this.numbers[this.top] as number;
      if (number >= 0) this.index.close(number, offset);
    }
  }

  /** Called for a function: adds its containers to the index. */
  keep(): void {
    if (this.top === 0 || (this.numbers[this.top - 1] as number) >= 0) return;
    for (let level = 0; level < this.top; level++) {
      if ((this.numbers[level] as number) >= 0) continue;
      const parent = level > 0 ? (this.numbers[level - 1] as number) : -1;
      this.numbers[level] = this.index.open(this.offsets[level] as number, parent);
    }
  }
}
