import type { Context } from '../../src/kernel/context.js';
import { keyOf } from '../../src/modules/access/guard.js';
import { catchFailure } from '../../src/modules/catch/catch.errors.js';
import type { CrashIngestService, IngestedCrashes } from '../../src/modules/catch/crashes/crash-ingest.service.js';
import { isJson } from '../../src/modules/ingest/scan/json-bytes.js';
import type { RestRequest } from '../route.js';

/** Stores crash events. */
export async function sendCrashEvents(
  crashes: CrashIngestService,
  ctx: Context,
  request: RestRequest,
): Promise<IngestedCrashes> {
  return crashes.ingest(ctx, await request.bytes().all());
}

/** Stores a profile, which is any JSON. */
export async function uploadProfile(crashes: CrashIngestService, ctx: Context, request: RestRequest): Promise<string> {
  keyOf(ctx, 'ingest');
  const profile = await request.bytes().all();
  if (!isJson(profile)) throw catchFailure('invalid_profile');
  return crashes.storeProfile(ctx, profile);
}
