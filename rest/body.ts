import type { RequestBytes } from '../src/kernel/bodies/request-bytes.js';
import { DomainError } from '../src/kernel/errors.js';
import { freeBuffer } from '../src/kernel/memory/free-buffer.js';
import { type ParsedJson, parseJson } from '../src/kernel/values/parse-json.js';

/** A body that was read; `malformed` if it isn't JSON, so that the verb can report it in its place among the checks. */
export type Body = ParsedJson;

/** Reads a JSON body; one that can't be decompressed is malformed too. Otherwise fails like reading the bytes does. */
export async function readJson(request: { readonly bytes: () => RequestBytes }): Promise<Body> {
  let bytes: Buffer;
  try {
    bytes = await request.bytes().all();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_body') return { malformed: true };
    throw error;
  }
  const body = parseJson(bytes);
  freeBuffer(bytes);
  return body;
}
