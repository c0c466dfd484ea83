import { bodyFailure } from '../src/kernel/bodies/body-failures.js';
import type { RequestBytes } from '../src/kernel/bodies/request-bytes.js';
import { DomainError } from '../src/kernel/errors.js';
import { freeBuffer } from '../src/kernel/memory/free-buffer.js';
import { extentOf } from '../src/kernel/values/json-extent.js';

/** A body that was read; `malformed` when it is not JSON, so that the verb can say so in its place in the order of checks. */
export type Body = { readonly malformed: false; readonly value: unknown } | { readonly malformed: true };

const MALFORMED: Body = { malformed: true };

/** Reads a JSON body; one that cannot be inflated is malformed too. Fails as reading the bytes does otherwise. */
export async function readJson(request: { readonly bytes: () => RequestBytes }): Promise<Body> {
  let bytes: Buffer;
  try {
    bytes = await request.bytes().all();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_body') return MALFORMED;
    throw error;
  }
  const body = parseJson(bytes);
  freeBuffer(bytes);
  return body;
}

/**
 * Parses bytes as JSON: UTF-8 without errors, nested at most 256 deep. Fails with `payload_too_large` when it has so many values that
 * they would take many times the memory of the bytes.
 */
function parseJson(bytes: Buffer): Body {
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

/** The body as an object with string keys, or null for anything else. */
export function objectOf(body: Body): Readonly<Record<string, unknown>> | null {
  if (body.malformed || body.value === null || typeof body.value !== 'object' || Array.isArray(body.value)) return null;
  return body.value as Record<string, unknown>;
}

function utf8Text(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
