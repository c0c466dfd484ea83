import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { isDatabaseUnavailable } from '../../src/kernel/database/database-failures.js';
import { type CommonCode, commonFailure, DomainError } from '../../src/kernel/errors.js';
import type { Logger } from '../../src/kernel/logger.js';
import type { AccessCode } from '../../src/modules/access/access.errors.js';
import { count, instant } from '../field-schemas.js';
import { type RestCode, restFailure } from './failures.js';

type Details = Readonly<Record<string, unknown>>;

/** A failure in a module's own terms: the status and the exact body. */
export interface ErrorRow {
  readonly status: number;
  readonly body: (details: Details, message: string) => { readonly error: string };
  /** Body fields besides `error`, for openapi.json. */
  readonly fields: TProperties;
  /** Example details for each possible text of `error`. */
  readonly examples: readonly Details[];
}

/** Codes that every REST route can return before or around its verb. */
export type FaceCode =
  | RestCode
  | Extract<CommonCode, 'unauthenticated' | 'invalid_token' | 'permission_denied' | 'unavailable' | 'project_required'>
  | Extract<
      AccessCode,
      | 'missing_api_key'
      | 'invalid_api_key'
      | 'invalid_ticket'
      | 'insufficient_scope'
      | 'unauthorized_origin'
      | 'unauthorized_address'
      | 'project_not_found'
    >;

/** How a module answers each failure; covers all of the face's codes and its own. */
export type ErrorTable<ModuleCode extends string = never> = Readonly<Record<FaceCode | ModuleCode, ErrorRow>>;

/** What went wrong and what to do next, for people; programs use `error`. */
export const MESSAGE = Type.String({
  description: 'What went wrong and what to do next, for people; the wording may change.',
  examples: ['What went wrong and what to do next.'],
});

export const error = (status: number, text: string): ErrorRow => errorWith(status, {}, [{}], () => ({ error: text }));

/** A row whose body adds a sentence for people: `{"error": text, "message": …}`. */
export const errorWithMessage = (status: number, text: string): ErrorRow =>
  errorWith(status, { message: MESSAGE }, [{}], (_details, message) => ({ error: text, message }));

/** A row whose body has `fields` besides `error`, or a text that depends on the details. */
export const errorWith = <Fields extends TProperties>(
  status: number,
  fields: Fields,
  examples: readonly Details[],
  body: (details: Details, message: string) => { error: string } & Static<TObject<Fields>>,
): ErrorRow => ({ status, fields, examples, body });

/** The exceeded quota, with its monthly reset. */
export const monthlyQuotaExceeded = (status: number): ErrorRow =>
  errorWith(
    status,
    {
      message: MESSAGE,
      current: count(100_000),
      limit: count(100_000),
      resets_at: instant('When the quota resets, at the end of the month.'),
    },
    [{ current: 100_000, limit: 100_000, resetsAt: '2026-04-01T00:00:00.000Z' }],
    ({ current, limit, resetsAt }, message) => ({
      error: 'quota_exceeded',
      message,
      current: current as number,
      limit: limit as number,
      resets_at: resetsAt as string,
    }),
  );

/** Default errors that modules may override (docs/rest.md, Rules for every route). */
export const faceErrors: ErrorTable = {
  payload_too_large: error(413, 'payload_too_large'),
  invalid_body: error(400, 'invalid_body'),
  body_cut_off: error(400, 'invalid_body'),
  bodies_exhausted: error(503, 'Service temporarily unavailable'),
  rate_limited: error(429, 'Rate limit exceeded. Please wait a moment.'),
  internal: error(500, 'internal_error'),
  unauthenticated: error(401, 'missing_authorization'),
  invalid_token: error(401, 'invalid_token'),
  permission_denied: error(403, 'permission_denied'),
  unavailable: error(503, 'Service temporarily unavailable'),
  project_required: error(400, 'project_required'),
  project_not_found: error(403, 'permission_denied'),
  missing_api_key: error(401, 'missing_api_key'),
  invalid_api_key: error(401, 'invalid_api_key'),
  invalid_ticket: errorWithMessage(401, 'invalid_ticket'),
  too_many_streams: errorWithMessage(429, 'too_many_streams'),
  insufficient_scope: error(403, 'insufficient_scope'),
  unauthorized_origin: error(403, 'Unauthorized origin'),
  unauthorized_address: error(403, 'Unauthorized address'),
};

/** Logs server faults under the request id that the caller sees: temporary unavailability as a warning, everything else as an error. */
export function logFailure(
  logger: Logger,
  thrown: unknown,
  { status }: ErrorRow,
  request: { requestId: string; route: string },
): void {
  if (status < 500) return;
  const reason = thrown instanceof DomainError ? thrown.cause : thrown;
  const isAway = reason === undefined || isDatabaseUnavailable(reason);
  logger[isAway ? 'warn' : 'error']({ err: thrown, ...request }, 'a request failed');
}

/** The failure behind an error; anything unexpected is `internal`. */
export function failureOf(thrown: unknown, table: Readonly<Record<string, ErrorRow>>): DomainError {
  if (thrown instanceof DomainError && Object.hasOwn(table, thrown.code)) return thrown;
  if (isDatabaseUnavailable(thrown)) return commonFailure('unavailable');
  return restFailure('internal');
}
