import { JsonBytes } from '../../../kernel/values/json-bytes.js';
import { faultyField, OPERATION_KINDS, type OperationKind, type OperationType } from '../operations/operation-kinds.js';
import { type FieldName, PayloadFields } from '../operations/payload-fields.js';
import { type BatchRefusal, BatchScanner, type OperationSink, scanPayload } from '../scan/batch-scanner.js';
import type { WarningReason } from '../warnings/warning-reasons.js';
import type { IngestRequest } from './ingest-request.js';

export interface OperationReport {
  /** Index in `operations`, from 0. */
  readonly index: number;
  readonly type: OperationType | null;
  /** A rejected operation would reject the whole batch. */
  readonly result: 'accepted' | 'discarded' | 'refused';
  /** Why it is rejected, or what would be changed in an accepted one. */
  readonly reason: 'unknown_operation_type' | 'invalid_payload' | WarningReason | null;
  /** The field that makes a payload invalid; `payload` if it isn't an object. */
  readonly field: FieldName | 'payload' | null;
}

const IGNORED: OperationSink = { operation: () => undefined, restart: () => undefined };

/**
 * Validates each operation of a body with the code that reads and stores batches, or says why the body isn't a batch. `request` creates an
 * empty request of the tenant, to see what becomes of an operation.
 */
export function reportOperations(
  body: Buffer,
  request: () => IngestRequest,
): OperationReport[] | Extract<BatchRefusal, { code: 'invalid_body' | 'no_operations' | 'value_too_large' }> {
  const refusal = new BatchScanner(IGNORED).scan(body);
  if (refusal && refusal.code !== 'unknown_type' && refusal.code !== 'invalid_payload') return refusal;
  const { operations } = JSON.parse(new TextDecoder().decode(body)) as { operations: readonly unknown[] };
  return operations.map((operation, index) => reportOf(operation, index, request));
}

function reportOf(operation: unknown, index: number, request: () => IngestRequest): OperationReport {
  const given = typeof operation === 'object' && operation !== null ? operation : {};
  const { type, payload } = given as { type?: unknown; payload?: unknown };
  const kind = OPERATION_KINDS.find((one) => one.type === type);
  const report = { index, type: kind?.type ?? null, field: null };
  if (!kind) return { ...report, result: 'refused', reason: 'unknown_operation_type' };
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return { ...report, result: 'refused', reason: 'invalid_payload', field: 'payload' };
  const text = Buffer.from(JSON.stringify(payload));
  const outcome = request();
  if (scanPayload(kind, text, outcome) !== null)
    return { ...report, result: 'refused', reason: 'invalid_payload', field: faultOf(kind, text) };
  const [reason = null] = outcome.warnings.keys();
  return { ...report, result: outcome.discarded > 0 ? 'discarded' : 'accepted', reason };
}

function faultOf(kind: OperationKind, payload: Buffer): FieldName | null {
  const fields = new PayloadFields();
  fields.read(JsonBytes.over(payload), 0);
  return faultyField(kind, fields);
}
