import { type FinishedSpan, SpanExporter } from './span-exporter.js';
import { newSpanId, newTraceId, parsePairs, parseTraceParent } from './trace-context.js';

/** OpenTelemetry's standard settings, as far as they are understood here. */
export interface TracerSettings {
  otelEndpoint: string | null;
  otelTracesEndpoint: string | null;
  otelHeaders: string | null;
  otelServiceName: string;
  otelResourceAttributes: string | null;
  otelSampler: string;
  otelSamplerArg: number;
  otelDisabled: boolean;
}

/** A span under way. */
export interface Span {
  /** Ends it; attributes are short and hold no secrets. */
  end(name: string, attributes: Record<string, string | number>, failed: boolean): void;
}

/** Makes the spans of this process. */
export class Tracer {
  private constructor(
    private readonly exporter: SpanExporter,
    private readonly settings: TracerSettings,
  ) {}

  /** Undefined without a collector, and then tracing costs nothing. */
  static open(settings: TracerSettings): Tracer | undefined {
    const { otelEndpoint, otelTracesEndpoint } = settings;
    const url = otelTracesEndpoint ?? (otelEndpoint ? `${otelEndpoint.replace(/\/$/, '')}/v1/traces` : null);
    if (settings.otelDisabled || url === null) return undefined;
    const resource: [string, string][] = [
      ...parsePairs(settings.otelResourceAttributes).filter(([name]) => name !== 'service.name'),
      ['service.name', settings.otelServiceName],
      ['process.pid', String(process.pid)],
    ];
    const headers = Object.fromEntries(parsePairs(settings.otelHeaders));
    return new Tracer(new SpanExporter(url, headers, attributesOf(Object.fromEntries(resource))), settings);
  }

  /** Begins a span below the caller's `traceparent`; undefined when it is not to be recorded. */
  start(kind: FinishedSpan['kind'], traceparent?: string): Span | undefined {
    const parent = parseTraceParent(traceparent);
    const traceId = parent?.traceId ?? newTraceId();
    if (!this.samples(traceId, parent?.sampled)) return undefined;
    const begun = nanoseconds();
    return {
      end: (name, attributes, failed) =>
        this.exporter.add({
          traceId,
          spanId: newSpanId(),
          ...(parent ? { parentSpanId: parent.spanId } : {}),
          name,
          kind,
          startTimeUnixNano: begun,
          endTimeUnixNano: nanoseconds(),
          attributes: attributesOf(attributes),
          status: { code: failed ? 2 : 0 },
        }),
    };
  }

  /** Sends what is waiting. */
  flush(): Promise<void> {
    return this.exporter.flush();
  }

  /** Sends what is left. */
  close(): Promise<void> {
    return this.exporter.close();
  }

  private samples(traceId: string, parentSampled: boolean | undefined): boolean {
    const { otelSampler: sampler, otelSamplerArg: ratio } = this.settings;
    if (sampler.startsWith('parentbased_') && parentSampled !== undefined) return parentSampled;
    if (sampler.endsWith('always_on')) return true;
    if (sampler.endsWith('always_off')) return false;
    return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio;
  }
}

function nanoseconds(): string {
  return String(Math.round((performance.timeOrigin + performance.now()) * 1000) * 1000);
}

function attributesOf(values: Record<string, string | number>): FinishedSpan['attributes'] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
