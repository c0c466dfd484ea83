import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isDatabaseUnavailable } from '../kernel/database/database-failures.js';
import { reachedReadingLimit } from '../kernel/database/reading-budget.js';
import { commonFailure, DomainError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';

/** Codes of the library and this folder that callers may see. Everything else that isn't a DomainError is masked. */
export const CALLER_ERRORS: ReadonlySet<string> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'METHOD_NOT_ALLOWED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'QUERY_TOO_LARGE',
  'INTROSPECTION_REFUSED',
  'THROTTLED',
  'DOCUMENT_NOT_TRUSTED',
]);

/** The code of unexpected errors. */
export const INTERNAL_ERROR = 'INTERNAL_SERVER_ERROR';

/**
 * One rule for all failures: domain codes in UPPER_SNAKE with their details; unexpected errors are masked. Server faults are logged here,
 * where they are masked, so nothing is masked without a log line.
 */
export function errorFormatter(logger: Logger, requestId: () => string | undefined) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const place = {
      ...(formatted.locations ? { locations: formatted.locations } : {}),
      ...(formatted.path ? { path: formatted.path } : {}),
    };
    const domain = domainErrorOf(error);
    if (domain) {
      if (isDatabaseUnavailable(causeOf(error)))
        logger.warn(
          { err: causeOf(error), requestId: requestId() },
          'a GraphQL operation could not reach the database',
        );
      return {
        message: domain.message,
        ...place,
        extensions: { code: domain.code.toUpperCase(), details: domain.details, ...fieldsOf(domain) },
      };
    }
    const reached = reachedReadingLimit(causeOf(error));
    if (reached)
      return {
        message: `This operation takes more than ${reached.limit} ${reached.what} to read. Ask for fewer objects or a shorter time span.`,
        ...place,
        extensions: { code: 'QUERY_TOO_LARGE', details: reached },
      };
    const code = callerCodeOf(formatted, error);
    if (code) {
      const { details, retryAfterMs, fields } = formatted.extensions ?? {};
      return {
        message: formatted.message,
        ...place,
        extensions: {
          code,
          ...(details ? { details } : {}),
          ...(retryAfterMs ? { retryAfterMs } : {}),
          ...(fields ? { fields } : fieldOfVariable(formatted.message, error)),
        },
      };
    }
    logger.error({ err: causeOf(error), requestId: requestId() }, 'a GraphQL operation failed');
    return {
      message:
        'Something went wrong on the server. Include the x-request-id header of this response when you report it.',
      ...place,
      extensions: { code: INTERNAL_ERROR },
    };
  };
}

interface Fields {
  fields?: { path: string; message: string }[];
}

/** The input fields that failed validation, for forms: `{path, message}` each. */
function fieldsOf({ message, field: ofCode, details: { problems, field, path } }: DomainError): Fields {
  if (!Array.isArray(problems)) {
    const place = [path, field, ofCode].find((each) => typeof each === 'string');
    return typeof place === 'string' ? { fields: [{ path: placeInInput(place), message }] } : {};
  }
  return {
    fields: problems.map((found: string | { path: string; problem: string }) =>
      typeof found === 'string'
        ? { path: String(field ?? ''), message: found }
        : { path: placeInInput(found.path), message: found.problem },
    ),
  };
}

/** Normalizes to `questions[0].prompt`, also from `questions.0.prompt`, relative to the input, which is how forms name fields. */
const placeInInput = (path: string): string => path.replace(/^input\./, '').replace(/\.(\d+)(?=\.|$)/g, '[$1]');

/** How graphql-js reports a variable of the wrong type, before what is wrong: where in it. */
const WRONG_VARIABLE = /^Variable "\$(\w+)" got invalid value .*?(?: at "\w+([^"]*)")?$/s;
/** How graphql-js reports a variable without a value. */
const NO_VALUE = /^Variable "\$(\w+)" of (?:required|non-null) type /;
/** For a missing or unknown field, which the path doesn't include. */
const OF_FIELD = /^Field "(\w+)" (?:of|is)/;

/**
 * The input field whose value graphql-js rejects: as held by the variable, or the variable itself if all of it is wrong
 * or it is a list. The report also shows the value, which can contain anything.
 */
function fieldOfVariable(report: string, error: unknown): Fields {
  const unset = NO_VALUE.exec(report)?.[1];
  if (unset !== undefined) return { fields: [{ path: unset, message: report }] };
  const cause = causeOf(error);
  const message = cause instanceof Error ? cause.message : '';
  if (!report.endsWith(`; ${message}`)) return {};
  const [found, variable = '', place = ''] = WRONG_VARIABLE.exec(report.slice(0, -message.length - 2)) ?? [];
  if (found === undefined) return {};
  const held = [place.replace(/^\./, ''), OF_FIELD.exec(message)?.[1]].filter(Boolean).join('.');
  return { fields: [{ path: held === '' || held.startsWith('[') ? `${variable}${held}` : held, message }] };
}

/** The original error, without the executor's or the library's wrapping. */
const causeOf = (error: unknown): unknown => (error instanceof GraphQLError && error.originalError) || error;

/** The DomainError behind an executor error; an unreachable database counts as one; null for unexpected errors. */
export function domainErrorOf(error: unknown): DomainError | null {
  const cause = causeOf(error);
  if (cause instanceof DomainError) return cause;
  return isDatabaseUnavailable(cause) ? commonFailure('unavailable') : null;
}

/** The code of an error the caller can fix, which is shown as is; null for all others. */
function callerCodeOf(formatted: GraphQLFormattedError, error: unknown): string | null {
  const code = String(formatted.extensions?.code);
  if (CALLER_ERRORS.has(code)) return code;
  const cause = causeOf(error);
  if (!(cause instanceof GraphQLError) || cause.originalError) return null;
  // The executor's own errors concern the request when no field was being resolved yet, and a field's arguments when they point into the
  // document; all others concern our values.
  return formatted.path === undefined || cause.nodes !== undefined ? 'BAD_USER_INPUT' : null;
}
