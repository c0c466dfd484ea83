import type { IncomingMessage } from 'node:http';
import type { TObject } from 'typebox';
import type { OperationReport } from '../../src/modules/ingest/intake/batch-report.js';
import type { BatchAnswer, IngestionService } from '../../src/modules/ingest/intake/ingestion.service.js';
import { ALIAS, type OperationKind, PEOPLE, TRACK } from '../../src/modules/ingest/operations/operation-kinds.js';
import { BODY_CAPS, REQUESTS_PER_MINUTE } from '../../src/modules/quotas/limits.js';
import { beaconKey } from '../callers.js';
import { type Route, route } from '../route.js';
import { batchAnswer, reportAnswer, singleAnswer } from './bodies.js';
import { INGEST_ONE, ingestBatch } from './descriptions.js';
import { ingestErrors } from './errors.js';
import { AliasPayload, BatchBody, PeoplePayload, TrackPayload } from './schemas.js';

export function ingestRoutes(ingestion: IngestionService): Route[] {
  const shared = {
    method: 'POST',
    // The four paths share one bucket.
    limit: { bucket: 'ingest', perMinute: REQUESTS_PER_MINUTE },
    caller: beaconKey,
    scope: 'ingest',
    runs: 'own',
    errors: ingestErrors,
    fast: true,
  } as const;
  const single = (kind: OperationKind, schema: TObject) =>
    route({
      ...shared,
      path: `/api/v1/${kind.type}`,
      body: { reads: 'stream', cap: BODY_CAPS.stream, schema },
      verb: (ctx, request) => ingestion.single(ctx, kind, request.bytes(), request.query.get('sent_at')),
      answer: (isStored) => singleAnswer(kind.type, isStored),
      describes: INGEST_ONE[kind.type],
    });
  return [
    route({
      ...shared,
      path: '/api/v1/batch',
      body: { reads: 'stream', cap: BODY_CAPS.stream, schema: BatchBody },
      verb: (ctx, request): Promise<OperationReport[] | BatchAnswer> =>
        request.query.get('validate') === '1'
          ? ingestion.report(ctx, request.bytes())
          : ingestion.batch(ctx, request.bytes(), {
              idempotencyKey: idempotencyKey(request.headers),
              sentAt: request.query.get('sent_at'),
            }),
      answer: (done) => (Array.isArray(done) ? reportAnswer(done) : batchAnswer(done)),
      describes: ingestBatch,
    }),
    single(TRACK, TrackPayload),
    single(PEOPLE, PeoplePayload),
    single(ALIAS, AliasPayload),
  ];
}

function idempotencyKey(headers: IncomingMessage['headers']): string | null {
  const value = headers['idempotency-key'];
  return typeof value === 'string' && value !== '' ? value : null;
}
