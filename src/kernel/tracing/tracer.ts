import type { IncomingHttpHeaders } from 'node:http';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer' | 'producer';

/** Short, without secrets or user input. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** An active span, recorded or not. */
export interface OpenSpan {
  /** False when the sampler dropped it; then nothing need be done when it ends. */
  readonly isRecorded: boolean;
  /** Runs work whose spans become children of this one. */
  run<T>(work: () => T): T;
  /** Headers that let the called service continue the trace. */
  headers(): Record<string, string>;
  end(outcome: { name?: string; attributes?: SpanAttributes; failed?: boolean }): void;
}

export interface Tracer {
  /** Begins a span below the one in the caller's headers, else below the active one, else as a root. */
  start(kind: SpanKind, name: string, callerHeaders?: IncomingHttpHeaders): OpenSpan;
  isRecording(): boolean;
  /** Sends what is waiting. */
  flush(): Promise<void>;
  /** Sends the rest and stops. */
  close(): Promise<void>;
}

/** Runs work in its own span; without a tracer, just runs it. */
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
