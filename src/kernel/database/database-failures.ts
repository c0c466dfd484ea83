const UNREACHABLE = new Set([
  // More connection attempts at once than a Unix socket's backlog allows.
  'EAGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);
/** SQLSTATE classes and codes (PostgreSQL manual, appendix A) that say "not now": connection, resources, shutdown. */
const UNREACHABLE_STATE = /^(08...|53...|57P0[1-5]|58030)$/;
const UNREACHABLE_TEXT =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|connection ended/i;
const RETRYABLE_STATE = new Set(['40001', '40P01']);

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (
    let at = error;
    at instanceof Error && chain.length < 8;
    at = at.cause ?? (at as { previous?: unknown }).previous
  )
    chain.push(at);
  return chain;
}

/** SQLSTATE of a statement that waited longer than its `lock_timeout`. */
export const LOCK_TIMEOUT = '55P03';

/** The SQLSTATE of a failed statement, or what the system calls a failed connection; '' for any other error. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** Whether the database is unavailable, full or shutting down, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      UNREACHABLE.has(codeOf(cause)) ||
      UNREACHABLE_STATE.test(codeOf(cause)) ||
      UNREACHABLE_TEXT.test((cause as Error).message),
  );
}

/** Whether PostgreSQL aborted the transaction in favor of another one, so that it can be retried. */
export function isRetryableConflict(error: unknown): boolean {
  return causes(error).some((cause) => RETRYABLE_STATE.has(codeOf(cause)));
}
