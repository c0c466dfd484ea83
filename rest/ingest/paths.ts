import type { IncomingMessage } from 'node:http';
import type { Context } from '../../src/kernel/context.js';
import type { IngestionService } from '../../src/modules/ingest/intake/ingestion.service.js';
import { ALIAS, type OperationKind, PEOPLE, TRACK } from '../../src/modules/ingest/intake/operation-kinds.js';
import { REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import type { Description } from '../openapi/description.js';
import type { RateLimit } from '../rate-limit.js';
import { batchAnswer, type IngestAnswer, singleAnswer } from './bodies.js';
import { RequestBytes } from './byte-source.js';
import { INGEST_ONE, ingestBatch } from './descriptions.js';
import type { ingestErrors } from './errors.js';

/** The four paths share one bucket (service interface 8). */
export const INGEST_LIMIT: RateLimit = { bucket: 'ingest', perMinute: REQUESTS_PER_MINUTE };

/** A path of ingestion and what it does with a request, whichever way that came. */
export interface IngestPath {
  readonly path: string;
  readonly describes: Description<keyof typeof ingestErrors>;
  take(ctx: Context, message: IncomingMessage): Promise<IngestAnswer>;
}

/** Service interface 4.9, 4.10. */
export function ingestPaths(ingestion: IngestionService, maxBodyBytes: number): IngestPath[] {
  const bytes = (message: IncomingMessage) => new RequestBytes(message, maxBodyBytes);
  const single = (kind: OperationKind): IngestPath => ({
    path: `/api/v1/${kind.type}`,
    describes: INGEST_ONE[kind.type],
    take: async (ctx, message) =>
      singleAnswer(kind.type, await ingestion.single(ctx, kind, bytes(message), announced(message))),
  });
  return [
    {
      path: '/api/v1/batch',
      describes: ingestBatch,
      take: async (ctx, message) =>
        batchAnswer(await ingestion.batch(ctx, bytes(message), announced(message), idempotencyKey(message))),
    },
    single(TRACK),
    single(PEOPLE),
    single(ALIAS),
  ];
}

const announced = (message: IncomingMessage): number => Number(message.headers['content-length'] ?? 0);

function idempotencyKey({ headers }: IncomingMessage): string | null {
  const value = headers['idempotency-key'];
  return typeof value === 'string' && value !== '' ? value : null;
}
