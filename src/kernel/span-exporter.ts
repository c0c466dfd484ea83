/** A finished span in the form of OTLP's JSON. */
export interface FinishedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 5 consumer. */
  kind: 1 | 2 | 5;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue: string } | { intValue: string } }[];
  status: { code: 0 | 2 };
}

const sendEveryMs = 5000;
const batchSize = 512;
const mostWaiting = 2048;
const timeoutMs = 10_000;

/** Sends spans to a collector in batches (OTLP over HTTP, JSON). What a collector does not take is dropped; nobody waits for it. */
export class SpanExporter {
  private waiting: FinishedSpan[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    private readonly resource: FinishedSpan['attributes'],
  ) {
    this.timer = setInterval(() => void this.flush(), sendEveryMs);
    this.timer.unref();
  }

  add(span: FinishedSpan): void {
    if (this.waiting.length >= mostWaiting) return;
    this.waiting.push(span);
    if (this.waiting.length === batchSize) void this.flush();
  }

  async flush(): Promise<void> {
    const spans = this.waiting;
    if (spans.length === 0) return;
    this.waiting = [];
    const body = {
      resourceSpans: [
        { resource: { attributes: this.resource }, scopeSpans: [{ scope: { name: 'quarterdeck' }, spans }] },
      ],
    };
    await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...this.headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
      .then((answer) => answer.arrayBuffer())
      .catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }
}
