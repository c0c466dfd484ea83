import type { IncomingHttpHeaders } from 'node:http';
import {
  type Context,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span,
  SpanKind as SpanKinds,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { OpenSpan, SpanKind, Tracer } from './tracer.js';
import { parsePairs, type TracerSettings } from './tracer-settings.js';

const KINDS: Readonly<Record<SpanKind, SpanKinds>> = {
  internal: SpanKinds.INTERNAL,
  server: SpanKinds.SERVER,
  client: SpanKinds.CLIENT,
  consumer: SpanKinds.CONSUMER,
  producer: SpanKinds.PRODUCER,
};

const incoming: TextMapGetter<IncomingHttpHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};

/**
 * Spans from OpenTelemetry's SDK, sent to a collector with OTLP over HTTP. Nothing global is set, so one process can
 * run several apps.
 */
export class OpenTelemetryTracer implements Tracer {
  private readonly provider: TracerProvider;
  private readonly tracer: OtelTracer;
  private readonly contexts = new AsyncLocalStorageContextManager().enable();
  private readonly propagator = new W3CTraceContextPropagator();

  constructor(url: string, settings: TracerSettings) {
    const exporter = new OTLPTraceExporter({ url, headers: Object.fromEntries(parsePairs(settings.otelHeaders)) });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({
        ...Object.fromEntries(parsePairs(settings.otelResourceAttributes)),
        'service.name': settings.otelServiceName,
        'process.pid': process.pid,
      }),
      sampler: samplerOf(settings),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('quarterdeck');
  }

  start(kind: SpanKind, name: string, callerHeaders?: IncomingHttpHeaders): OpenSpan {
    const above = callerHeaders
      ? this.propagator.extract(ROOT_CONTEXT, callerHeaders, incoming)
      : this.contexts.active();
    const span = this.tracer.startSpan(name, { kind: KINDS[kind] }, above);
    return this.opened(span, trace.setSpan(above, span));
  }

  isRecording(): boolean {
    return trace.getSpan(this.contexts.active())?.isRecording() ?? false;
  }

  flush(): Promise<void> {
    return this.provider.forceFlush().catch(() => undefined);
  }

  close(): Promise<void> {
    return this.provider.shutdown().catch(() => undefined);
  }

  private opened(span: Span, context: Context): OpenSpan {
    return {
      isRecorded: span.isRecording(),
      run: (work) => this.contexts.with(context, work),
      headers: () => {
        const headers: Record<string, string> = {};
        this.propagator.inject(context, headers, {
          set: (carrier, name, value) => {
            carrier[name] = value;
          },
        });
        return headers;
      },
      end: ({ name, attributes, failed }) => {
        if (name) span.updateName(name);
        if (attributes) span.setAttributes(attributes);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }
}

function samplerOf({ otelSampler, otelSamplerArg }: TracerSettings): Sampler {
  const root = otelSampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : otelSampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(otelSamplerArg);
  return otelSampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
