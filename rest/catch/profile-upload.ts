import type { IncomingMessage } from 'node:http';
import type { Context } from '../../src/kernel/context.js';
import { keyOf } from '../../src/modules/access/guard.js';
import { catchFailure } from '../../src/modules/catch/catch.errors.js';
import type { CrashIngestService } from '../../src/modules/catch/crashes/crash-ingest.service.js';
import { MAX_PROFILE_BYTES } from '../../src/modules/quotas/limits.js';
import { inflated, isCorrupt, parseJson } from '../body.js';
import type { RestRequest } from '../route.js';

/** Stores a profile: JSON of 20 MiB at most, counted after inflation. */
export async function uploadProfile(crashes: CrashIngestService, ctx: Context, request: RestRequest): Promise<string> {
  keyOf(ctx, 'ingest');
  const bytes = await readBounded(request.message);
  if (parseJson(bytes).malformed) throw catchFailure('invalid_profile');
  return crashes.storeProfile(ctx, bytes);
}

async function readBounded(message: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => catchFailure('profile_too_large', { limit: MAX_PROFILE_BYTES });
  if (Number(message.headers['content-length'] ?? 0) > MAX_PROFILE_BYTES) throw tooLarge();
  const stream = inflated(message);
  if (stream === null) throw catchFailure('invalid_profile');
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_PROFILE_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (isCorrupt(error)) throw catchFailure('invalid_profile');
    throw error;
  }
  return Buffer.concat(chunks, size);
}
