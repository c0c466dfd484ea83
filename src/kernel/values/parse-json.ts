import { bodyFailure } from '../bodies/body-failures.js';
import { extentOf } from './json-extent.js';

/** Parses bytes as JSON; `malformed` when they are not JSON. */
export type ParsedJson = { readonly malformed: false; readonly value: unknown } | { readonly malformed: true };

const MALFORMED: ParsedJson = { malformed: true };

/**
 * Parses bytes as JSON: valid UTF-8, nested at most 256 deep. Fails with `payload_too_large` when it has so many values
 * that they would take many times the memory of the bytes.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = utf8Text(bytes);
  if (text === null) return MALFORMED;
  const { isTooDeep, hasTooMany } = extentOf(text);
  if (isTooDeep) return MALFORMED;
  if (hasTooMany) throw bodyFailure('payload_too_large');
  try {
    return { malformed: false, value: JSON.parse(text) };
  } catch {
    return MALFORMED;
  }
}

/** A parsed value as an object with string keys, or null for anything else. */
export function objectOf(parsed: ParsedJson): Readonly<Record<string, unknown>> | null {
  if (parsed.malformed || parsed.value === null || typeof parsed.value !== 'object' || Array.isArray(parsed.value))
    return null;
  return parsed.value as Record<string, unknown>;
}

function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
