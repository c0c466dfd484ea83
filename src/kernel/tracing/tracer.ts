import type { IncomingHttpHeaders } from 'node:http';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer' | 'producer';

/** Short, and without secrets or anything that a person typed. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span under way, whether it is recorded or not. */
export interface OpenSpan {
  /** False when the sampler left it out; then there is nothing to describe. */
  readonly isRecorded: boolean;
  /** Does work whose spans become children of this one. */
  run<T>(work: () => T): T;
  /** The headers that let the called service continue the trace. */
  headers(): Record<string, string>;
  end(outcome: { name?: string; attributes?: SpanAttributes; failed?: boolean }): void;
}

export interface Tracer {
  /** Begins a span below the one that a caller's headers name, else below the active one, else of its own. */
  start(kind: SpanKind, name: string, callerHeaders?: IncomingHttpHeaders): OpenSpan;
  /** Whether work is being done below a recorded span. */
  isRecording(): boolean;
  /** Sends what is waiting. */
  flush(): Promise<void>;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Does work in a span of its own; without a tracer it is just done. */
export async function inSpan<T>(
  tracer: Tracer | undefined,
  kind: SpanKind,
  name: string,
  attributes: SpanAttributes,
  work: (span?: OpenSpan) => Promise<T> | T,
): Promise<T> {
  if (!tracer) return work();
  const span = tracer.start(kind, name);
  let failed = true;
  try {
    const result = await span.run(() => work(span));
    failed = false;
    return result;
  } finally {
    span.end({ attributes, failed });
  }
}
