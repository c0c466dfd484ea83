import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a request while something else runs, and records the response times. */
export class Probe {
  private readonly times: number[] = [];
  private stopping = false;
  private readonly loop: Promise<void>;

  /** A header with several values uses them in turn. `everyMs` is the pause after each answer. */
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, readonly string[]>>,
    private readonly everyMs: number,
  ) {
    this.loop = this.ask();
  }

  /** Stops the requests and returns the 99th percentile in milliseconds. */
  async stop(): Promise<number> {
    this.stopping = true;
    await this.loop;
    const sorted = this.times.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  }

  private async ask(): Promise<void> {
    for (let n = 0; !this.stopping; n++) {
      const headers = Object.fromEntries(
        Object.entries(this.headers).map(([name, values]) => [name, values[n % values.length] as string]),
      );
      const begun = performance.now();
      const answer = await fetch(this.url, { headers });
      await answer.arrayBuffer();
      if (answer.status >= 400) throw new Error(`the probe was answered ${answer.status}`);
      this.times.push(performance.now() - begun);
      await sleep(this.everyMs);
    }
  }
}
