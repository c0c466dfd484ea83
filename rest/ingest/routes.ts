import type { IncomingMessage } from 'node:http';
import type { IngestionService } from '../../src/modules/ingest/ingestion.service.js';
import { ALIAS, type OperationKind, PEOPLE, TRACK } from '../../src/modules/ingest/operation-kinds.js';
import { REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import { projectKey } from '../callers.js';
import { type RateLimit, type Route, route } from '../route.js';
import { batchAnswer, singleAnswer } from './bodies.js';
import { RequestBytes } from './byte-source.js';
import { INGEST_ONE, ingestBatch } from './descriptions.js';
import { ingestErrors } from './errors.js';

/** The four paths share one bucket (service interface 8). */
const INGEST_LIMIT: RateLimit = { bucket: 'ingest', perMinute: REQUESTS_PER_MINUTE };

/** Service interface 4.9, 4.10. */
export function ingestRoutes(ingestion: IngestionService, maxBodyBytes: number): Route[] {
  const bytes = (message: IncomingMessage) => new RequestBytes(message, maxBodyBytes);
  const batch = route({
    method: 'POST',
    path: '/api/v1/batch',
    limit: INGEST_LIMIT,
    caller: projectKey,
    body: 'stream',
    runs: 'own',
    verb: (ctx, { message, headers }) =>
      ingestion.batch(ctx, bytes(message), announced(message), idempotencyKey(headers)),
    answer: batchAnswer,
    errors: ingestErrors,
    describes: ingestBatch,
  });
  const single = (kind: OperationKind) =>
    route({
      method: 'POST',
      path: `/api/v1/${kind.type}`,
      limit: INGEST_LIMIT,
      caller: projectKey,
      body: 'stream',
      runs: 'own',
      verb: (ctx, { message }) => ingestion.single(ctx, kind, bytes(message), announced(message)),
      answer: singleAnswer(kind.type),
      errors: ingestErrors,
      describes: INGEST_ONE[kind.type],
    });
  return [batch, single(TRACK), single(PEOPLE), single(ALIAS)];
}

const announced = (message: IncomingMessage): number => Number(message.headers['content-length'] ?? 0);

function idempotencyKey(headers: IncomingMessage['headers']): string | null {
  const value = headers['idempotency-key'];
  return typeof value === 'string' && value !== '' ? value : null;
}
