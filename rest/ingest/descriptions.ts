import { type TObject, Type } from 'typebox';
import type { OperationType } from '../../src/modules/ingest/operations/operation-kinds.js';
import { SentAt } from '../field-schemas.js';
import { describe } from '../openapi/description.js';
import {
  BatchQuery,
  BatchReport,
  BatchStored,
  Discarded,
  DiscardedBatch,
  IdempotencyKey,
  StoredAnswer,
  TrackAnswer,
} from './schemas.js';

export const ingestBatch = describe({
  id: 'ingestBatch',
  tag: 'Ingestion',
  summary: 'Store a batch of operations',
  details:
    'Stored completely and durably when this answers 200, otherwise not at all. Retry only on 429, 503 and network failures.',
  query: BatchQuery,
  headers: IdempotencyKey,
  answers: {
    200: {
      description: 'Stored; with `validate`, what would be stored.',
      schema: Type.Union([BatchStored, BatchReport]),
    },
    202: { description: 'Every operation had an unusable id; nothing was stored.', schema: DiscardedBatch },
  },
  failures: [
    'invalid_body',
    'no_operations',
    'unknown_operation_type',
    'invalid_payload',
    'value_too_large',
    'ingest_unavailable',
    'quota_exceeded',
  ],
});

const discarded = { description: 'The id is unusable; nothing was stored.', schema: Discarded };

const single = (type: OperationType, summary: string, answer: TObject) =>
  describe({
    id: type,
    tag: 'Ingestion',
    summary,
    answers: { 200: { description: 'Durably stored.', schema: answer }, 202: discarded },
    failures: ['invalid_body', ['invalid_payload', { type }], 'value_too_large', 'ingest_unavailable'],
  });

const track = single('track', 'Store an event', TrackAnswer);

/** Single operations; only events count against a quota. */
export const INGEST_ONE = {
  track: { ...track, query: SentAt, failures: [...(track.failures ?? []), 'quota_exceeded' as const] },
  people: single('people', "Merge properties into a person's profile", StoredAnswer),
  alias: single('alias', 'Merge an id into a person', StoredAnswer),
} as const;
