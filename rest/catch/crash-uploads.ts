import type { Context } from '../../src/kernel/context.js';
import { isJson } from '../../src/kernel/values/json-bytes.js';
import { keyOf } from '../../src/modules/access/guard.js';
import { catchFailure } from '../../src/modules/catch/catch.errors.js';
import type { CrashIngestService } from '../../src/modules/catch/crashes/crash-ingest.service.js';
import type { CrashCounts } from '../../src/modules/catch/crashes/reading/crash-slices.js';

import type { RestRequest } from '../route.js';

export async function sendCrashEvents(
  crashes: CrashIngestService,
  ctx: Context,
  request: RestRequest,
): Promise<CrashCounts> {
  return crashes.ingest(ctx, await request.bytes().all(), request.query.get('sent_at'));
}

export async function uploadProfile(crashes: CrashIngestService, ctx: Context, request: RestRequest): Promise<string> {
  keyOf(ctx, 'ingest');
  const profile = await request.bytes().all();
  if (!isJson(profile)) throw catchFailure('invalid_profile');
  return crashes.storeProfile(ctx, profile);
}
