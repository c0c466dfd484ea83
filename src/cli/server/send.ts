import type { CliSettings } from '../settings/settings.js';
import { refusalOf, Unreachable } from './server-failures.js';

const TIMEOUT_MS = 120_000;

/** The parsed JSON of an answer of one of the wanted statuses. Throws Refused, Unreachable. */
export async function send(
  settings: CliSettings,
  method: string,
  path: string,
  body: { bytes: string | Uint8Array<ArrayBuffer>; headers: Record<string, string> } | null,
  wanted: readonly number[] = [200, 201],
): Promise<{ status: number; body: unknown }> {
  let status: number;
  let text: string;
  let location: string | null;
  try {
    const response = await fetch(`${settings.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${settings.token}`, ...body?.headers },
      body: body?.bytes ?? null,
      // Behind a redirect a POST is a GET.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    location = response.headers.get('location');
    text = await response.text();
  } catch (error) {
    throw new Unreachable(settings.url, error);
  }
  const parsed = parsedJson(text);
  if (wanted.includes(status) && parsed !== null) return { status, body: parsed };
  throw refusalOf(status, location, parsed);
}

export function parsedJson(text: string): { error?: string; message?: string } | null {
  try {
    return JSON.parse(text) as { error?: string; message?: string };
  } catch {
    return null;
  }
}
