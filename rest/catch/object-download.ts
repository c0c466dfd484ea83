import type { Readable } from 'node:stream';
import { catchFailure } from '../../src/modules/catch/catch.errors.js';
import { verifyObjectLink } from '../../src/storage/objects/object-links.js';
import { ObjectNotFound, type ObjectStore } from '../../src/storage/objects/object-store.js';
import type { Answer } from '../face/send.js';
import type { RestRequest } from '../route.js';

export interface Download {
  stream: Readable;
  fileName: string;
}

/** Opens the object of a signed link. Fails with `invalid_link` if the link expired or was altered. */
export async function openDownload(
  objects: ObjectStore,
  linkSecrets: readonly string[],
  now: Date,
  { params, query }: RestRequest,
): Promise<Download> {
  const allowed = verifyObjectLink(linkSecrets, params.object ?? '', query, now);
  if (allowed === undefined) throw catchFailure('invalid_link');
  try {
    return { stream: await objects.get(allowed.key), fileName: allowed.fileName };
  } catch (error) {
    if (error instanceof ObjectNotFound) throw catchFailure('artifact_not_found');
    throw error;
  }
}

export function downloadAnswer({ stream, fileName }: Download): Answer {
  return {
    status: 200,
    body: stream,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      'cache-control': 'private, no-store',
    },
  };
}
