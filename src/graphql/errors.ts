import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isDatabaseUnavailable } from '../kernel/database/database-failures.js';
import { reachedReadingLimit } from '../kernel/database/reading-budget.js';
import { commonFailure, DomainError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';

/** Codes of the library and of this folder that a caller may see; everything else that is not a DomainError is masked. */
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

/** The code of what nobody foresaw. */
export const INTERNAL_ERROR = 'INTERNAL_SERVER_ERROR';

/**
 * One rule for all failures: domain codes in UPPER_SNAKE with their details; the unforeseen is masked. Whatever is the server's
 * fault is logged here, where it is masked, so that nothing can be masked without a line in the log.
 * @param requestId of the request that is being answered
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
        logger.warn({ err: causeOf(error), requestId: requestId() }, 'a GraphQL operation had no database');
      return {
        message: domain.message,
        ...place,
        extensions: { code: domain.code.toUpperCase(), details: domain.details, ...fieldsOf(domain) },
      };
    }
    const reached = reachedReadingLimit(causeOf(error));
    if (reached)
      return {
        message: `What the operation asks for takes more than ${reached.limit} ${reached.what} to read; ask for fewer objects or a shorter span at once.`,
        ...place,
        extensions: { code: 'QUERY_TOO_LARGE', details: reached },
      };
    const code = callerCodeOf(formatted, error);
    if (code) {
      const { details, retryAfterMs } = formatted.extensions ?? {};
      return {
        message: formatted.message,
        ...place,
        extensions: {
          code,
          ...(details ? { details } : {}),
          ...(retryAfterMs ? { retryAfterMs } : {}),
          ...fieldOfVariable(formatted.message),
        },
      };
    }
    logger.error({ err: causeOf(error), requestId: requestId() }, 'a GraphQL operation failed');
    return {
      message: 'The server failed; quote the x-request-id header of this answer when you report it.',
      ...place,
      extensions: { code: INTERNAL_ERROR },
    };
  };
}

interface Fields {
  fields?: { path: string; message: string }[];
}

/** The fields of an input that do not hold, for forms: `{path, message}` each. */
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

/** `questions[0].prompt`, also of those who write `questions.0.prompt`, and from the input on, whose fields a form has. */
const placeInInput = (path: string): string => path.replace(/^input\./, '').replace(/\.(\d+)(?=\.|$)/g, '[$1]');

/** What graphql-js says of a variable that is not of its type: where in it, and what is wrong. */
const WRONG_VARIABLE = /^Variable "\$\w+" got invalid value .*?(?: at "\w+([^"]*)")?; (.*)$/s;
/** What graphql-js says of a variable without a value. */
const NO_VALUE = /^Variable "\$\w+" of (?:required|non-null) type /;
/** Of a field that is missing or unknown, which the place does not name. */
const OF_FIELD = /^Field "(\w+)" (?:of|is)/;

/** The field of the input, as the variable holds it, that graphql-js takes no value for. */
function fieldOfVariable(told: string): Fields {
  if (NO_VALUE.test(told)) return { fields: [{ path: '', message: told }] };
  const [, place, message] = WRONG_VARIABLE.exec(told) ?? [];
  if (message === undefined) return {};
  const path = [place?.replace(/^\./, ''), OF_FIELD.exec(message)?.[1]].filter(Boolean).join('.');
  return { fields: [{ path, message }] };
}

/** What was thrown, without what the executor or the library puts around it. */
const causeOf = (error: unknown): unknown => (error instanceof GraphQLError && error.originalError) || error;

/** The DomainError behind an error of the executor; an unreachable database counts as one; null for what nobody foresaw. */
export function domainErrorOf(error: unknown): DomainError | null {
  const cause = causeOf(error);
  if (cause instanceof DomainError) return cause;
  return isDatabaseUnavailable(cause) ? commonFailure('unavailable') : null;
}

/** The code of an error that is the caller's to mend, and so is shown as it is; null for all others. */
function callerCodeOf(formatted: GraphQLFormattedError, error: unknown): string | null {
  const code = String(formatted.extensions?.code);
  if (CALLER_ERRORS.has(code)) return code;
  const cause = causeOf(error);
  if (!(cause instanceof GraphQLError) || cause.originalError) return null;
  // The executor's own errors are about the request when no field was being answered yet, and about the arguments of one when
  // they point into the document; the others are about our values.
  return formatted.path === undefined || cause.nodes !== undefined ? 'BAD_USER_INPUT' : null;
}
