import type { IncomingMessage } from 'node:http';
import type { RequestBytes } from '../../src/kernel/bodies/request-bytes.js';
import type { Context } from '../../src/kernel/context.js';
import type { IngestionService } from '../../src/modules/ingest/intake/ingestion.service.js';
import { ALIAS, type OperationKind, PEOPLE, TRACK } from '../../src/modules/ingest/intake/operation-kinds.js';
import { REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import type { Description } from '../openapi/description.js';
import type { RateLimit } from '../rate-limit.js';
import { batchAnswer, type IngestAnswer, singleAnswer } from './bodies.js';
import { INGEST_ONE, ingestBatch } from './descriptions.js';
import type { ingestErrors } from './errors.js';

/** The four paths share one bucket (docs/rest.md, Limits). */
export const INGEST_LIMIT: RateLimit = { bucket: 'ingest', perMinute: REQUESTS_PER_MINUTE };

/** A path of ingestion and what it does with a request, whichever way that came. */
export interface IngestPath {
  readonly path: string;
  readonly describes: Description<keyof typeof ingestErrors>;
  take(ctx: Context, bytes: () => RequestBytes, headers: IncomingMessage['headers']): Promise<IngestAnswer>;
}

export function ingestPaths(ingestion: IngestionService): IngestPath[] {
  const single = (kind: OperationKind): IngestPath => ({
    path: `/api/v1/${kind.type}`,
    describes: INGEST_ONE[kind.type],
    take: async (ctx, bytes) => singleAnswer(kind.type, await ingestion.single(ctx, kind, bytes())),
  });
  return [
    {
      path: '/api/v1/batch',
      describes: ingestBatch,
      take: async (ctx, bytes, headers) => batchAnswer(await ingestion.batch(ctx, bytes(), idempotencyKey(headers))),
    },
    single(TRACK),
    single(PEOPLE),
    single(ALIAS),
  ];
}

function idempotencyKey(headers: IncomingMessage['headers']): string | null {
  const value = headers['idempotency-key'];
  return typeof value === 'string' && value !== '' ? value : null;
}
