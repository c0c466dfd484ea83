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

/** `name=value,…` as in OpenTelemetry's variables, with percent-encoded values. */
export function parsePairs(text: string | null): [string, string][] {
  return (text ?? '')
    .split(',')
    .map((pair) => pair.split('='))
    .filter(([name, ...value]) => name?.trim() && value.length > 0)
    .map(([name = '', ...value]) => [name.trim(), decoded(value.join('=').trim())]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
