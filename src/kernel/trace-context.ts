import { randomBytes } from 'node:crypto';

/** What a caller's `traceparent` header says (W3C Trace Context, level 1). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined when the header is absent or malformed, which W3C says to ignore. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(header ?? '') ?? [];
  if (!version || version === 'ff' || (version === '00' && rest)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

/** `name=value,…` as OpenTelemetry's variables have it, values percent-encoded. */
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
