import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { TestClock } from '../support/clocks/clock.js';

const BYTES = 16;

/**
 * A clock that also controls the processes started with its `env`. They read it from a file every time, so that a
 * change takes effect as soon as the call that makes it returns.
 */
export class SteeredClock extends TestClock {
  private readonly file: number;
  readonly env: Record<string, string>;

  constructor(folder: string) {
    super();
    const path = join(folder, 'steered-clock');
    this.file = openSync(path, 'w');
    this.env = {
      STEERED_CLOCK: path,
      NODE_OPTIONS: `--import=${new URL('./steered-clock-process.js', import.meta.url).href}`,
    };
    this.write();
  }

  override set(instant: Date | string): void {
    super.set(instant);
    this.write();
  }

  override advance(milliseconds: number): void {
    super.advance(milliseconds);
    this.write();
  }

  close(): void {
    closeSync(this.file);
  }

  private write(): void {
    const { fixed, offset } = this.position;
    writeSync(this.file, new Uint8Array(Float64Array.of(fixed ?? Number.NaN, offset).buffer), 0, BYTES, 0);
  }
}

/** The time on the clock behind a file written by a {@link SteeredClock}. */
export function readSteeredClock(path: string): () => Date {
  const file = openSync(path, 'r');
  const position = new Float64Array(2);
  return () => {
    readSync(file, position, 0, BYTES, 0);
    const [fixed = Number.NaN, offset = 0] = position;
    return new Date(Number.isNaN(fixed) ? Date.now() + offset : fixed);
  };
}
