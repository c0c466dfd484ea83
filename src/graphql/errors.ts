import { unwrapResolverError } from '@apollo/server/errors';
import type { GraphQLFormattedError } from 'graphql';
import { GraphQLError } from 'graphql';
import { isDatabaseUnavailable } from '../kernel/database-failures.js';
import { commonFailure, DomainError } from '../kernel/errors.js';

/** Codes of the library that a caller may see; everything else that is not a DomainError is masked. */
const CALLER_ERRORS = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'QUERY_TOO_LARGE',
  'INTROSPECTION_REFUSED',
]);

/** The DomainError behind an error of the executor; an unreachable database counts as one; null for what nobody foresaw. */
export function domainErrorOf(error: unknown): DomainError | null {
  const cause = unwrapResolverError(error);
  if (cause instanceof DomainError) return cause;
  return isDatabaseUnavailable(cause) ? commonFailure('unavailable') : null;
}

/** Whether an error is the caller's to mend, and so is shown as it is. */
export function isCallerError(formatted: GraphQLFormattedError, error: unknown): boolean {
  const cause = unwrapResolverError(error);
  return (
    CALLER_ERRORS.has(String(formatted.extensions?.code)) ||
    (cause instanceof GraphQLError &&
      cause.originalError === undefined &&
      formatted.extensions?.code !== 'INTERNAL_SERVER_ERROR')
  );
}

/** One rule for all failures: domain codes in UPPER_SNAKE with their details; the unforeseen is masked. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const place = {
    ...(formatted.locations ? { locations: formatted.locations } : {}),
    ...(formatted.path ? { path: formatted.path } : {}),
  };
  const domain = domainErrorOf(error);
  if (domain) {
    return {
      message: domain.message,
      ...place,
      extensions: { code: domain.code.toUpperCase(), details: domain.details },
    };
  }
  if (isCallerError(formatted, error)) {
    const { code, details } = formatted.extensions ?? {};
    return { message: formatted.message, ...place, extensions: { code, ...(details ? { details } : {}) } };
  }
  return {
    message: 'The server failed; quote the x-request-id header of this answer when you report it.',
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  };
}
