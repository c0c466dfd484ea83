import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { OperationType } from './operations/operation-kinds.js';

export const ingestFailure = defineFailures({
  invalid_body: () => 'The body must be a JSON object.',
  no_operations: () => 'operations must contain at least one operation.',
  unknown_operation_type: (_: { index: number }) => 'Every operation must have the type track, people or alias.',
  invalid_payload: ({ type }: { type: OperationType; index?: number | undefined }) =>
    `A ${type} operation lacks a required field, or a field has the wrong type.`,
  value_too_large: () => 'One operation is too large to store. Send its properties in several operations.',
  ingest_unavailable: () => 'Nothing was stored. Try again with backoff.',
});

export type IngestCode = FailureCode<typeof ingestFailure>;
