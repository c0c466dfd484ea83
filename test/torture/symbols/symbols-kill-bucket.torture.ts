import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBucketServer } from '../../support/bucket-server.js';
import type { TortureContext, TortureRow } from '../torture.js';
import { sweepAndFind } from './stored-symbols.js';
import { killAtSteps, killRow, openPlace } from './symbols-kill.torture.js';
import { UPLOAD_STEPS } from './upload-steps.js';

export const name = 'symbols-kill-bucket';
export const usualCount = 20;

/** As symbols-kill, with the objects in a bucket. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-steps-'));
  const bucket = await startBucketServer();
  try {
    const place = await openPlace(torture, folder, bucket.settings);
    const killed = await killAtSteps(torture, place, UPLOAD_STEPS.bucket);
    const found = await sweepAndFind(place.env, place.uploads.acknowledged);
    return [killRow('in a bucket', killed, found, torture.count * UPLOAD_STEPS.bucket.length)];
  } finally {
    await bucket.close();
    await rm(folder, { recursive: true, force: true });
  }
}
