import type { CliSettings } from '../settings/settings.js';
import { exchange, type SentBody } from './exchange.js';
import { refusalOf } from './server-failures.js';

/** The parsed JSON of a response with one of the expected statuses. Throws Refused, Unreachable. */
export async function send(
  settings: CliSettings,
  method: string,
  path: string,
  body: SentBody | null,
  { wanted = [200, 201], patienceMs = settings.patienceMs }: { wanted?: readonly number[]; patienceMs?: number } = {},
): Promise<{ status: number; body: unknown }> {
  const { status, headers, text } = await exchange(settings, method, path, body, patienceMs);
  const parsed = parsedJson(text);
  if (wanted.includes(status) && parsed !== null) return { status, body: parsed };
  throw refusalOf(status, headers, parsed);
}

function parsedJson(text: string): { error?: string; message?: string } | null {
  try {
    return JSON.parse(text) as { error?: string; message?: string };
  } catch {
    return null;
  }
}
