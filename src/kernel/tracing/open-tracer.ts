import type { Tracer } from './tracer.js';
import type { TracerSettings } from './tracer-settings.js';

/** Undefined without a collector, in which case OpenTelemetry's SDK is not loaded. */
export async function openTracer(settings: TracerSettings): Promise<Tracer | undefined> {
  const { otelEndpoint, otelTracesEndpoint } = settings;
  const url = otelTracesEndpoint ?? (otelEndpoint ? `${otelEndpoint.replace(/\/$/, '')}/v1/traces` : null);
  if (settings.otelDisabled || url === null) return undefined;
  const { OpenTelemetryTracer } = await import('./open-telemetry-tracer.js');
  return new OpenTelemetryTracer(url, settings);
}
