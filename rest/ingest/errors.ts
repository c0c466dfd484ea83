import { Type } from 'typebox';
import type { IngestCode } from '../../src/modules/ingest/ingest.errors.js';
import { OPERATION_KINDS } from '../../src/modules/ingest/operations/operation-kinds.js';
import { type ErrorTable, error, errorWith, faceErrors, monthlyQuotaExceeded } from '../face/error-table.js';
import { count } from '../field-schemas.js';

const INDEX = count(0, 'Index in `operations` of the first such operation, from 0; absent for a single operation.');

/** docs/rest.md, Ingestion; the single operations use the same errors. */
export const ingestErrors: ErrorTable<IngestCode | 'quota_exceeded'> = {
  ...faceErrors,
  missing_api_key: error(401, 'Missing API key'),
  invalid_api_key: error(401, 'Invalid API key'),
  invalid_body: error(400, 'Invalid request body'),
  no_operations: error(400, 'No operations provided'),
  unknown_operation_type: errorWith(400, { index: INDEX }, [{ index: 0 }], ({ index }) => ({
    error: 'unknown operation type',
    index: index as number,
  })),
  invalid_payload: errorWith(
    400,
    { index: Type.Optional(INDEX) },
    OPERATION_KINDS.map(({ type }) => ({ type, index: 0 })),
    ({ type, index }) => ({
      error: `Invalid ${String(type)} payload`,
      ...(index === undefined ? {} : { index: index as number }),
    }),
  ),
  value_too_large: error(413, 'payload_too_large'),
  ingest_unavailable: error(503, 'Service temporarily unavailable'),
  quota_exceeded: monthlyQuotaExceeded(429),
};
