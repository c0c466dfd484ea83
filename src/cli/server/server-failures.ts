import type { IncomingHttpHeaders } from 'node:http';

/** The longest total pause to wait for a server. */
export const LONGEST_WAIT_S = 300;

/** What to do about a refusal, by its code. */
const HINTS: Record<string, string> = {
  missing_authorization: 'the token is not an API token; deploy tokens and project keys cannot upload symbols',
  invalid_token: 'the token is invalid, expired or revoked',
  permission_denied: 'the token needs access to the project, and the editor role to change something',
  project_required: 'the token has access to several projects; choose one with --project',
  quota_exceeded: "the project's symbol storage is full",
  file_too_large: 'the file is larger than the server takes',
  payload_too_large: 'the file is larger than the server takes',
  no_quarterdeck:
    'the response is not from Quarterdeck but from another server, a proxy or a sign-in page; check QUARTERDECK_URL and any proxy in between',
  proxy_limit:
    'a proxy in front of the server refuses bodies of this size; raise its limit to at least 64 MB (nginx: client_max_body_size)',
  busy: 'the server, or a proxy in front of it, is busy; try again later',
  not_found: 'no Quarterdeck server at this URL; check QUARTERDECK_URL',
};

export class Refused extends Error {
  /** @param pauseS the pause it asks for in seconds, 0 if none */
  constructor(
    readonly status: number,
    readonly code: string,
    message?: string,
    readonly pauseS = 0,
  ) {
    const pause = pauseS > 0 ? `; retry after ${pauseS} s` : '';
    super(`${HINTS[code] ?? message ?? 'the server refused the request'} (${status} ${code})${pause}`);
  }

  /** Whether it would refuse any other file too. */
  get refusesAll(): boolean {
    return (
      this.status < 400 ||
      [401, 402, 403, 404].includes(this.status) ||
      this.code === 'project_required' ||
      this.pauseS > LONGEST_WAIT_S
    );
  }
}

/** Turns a response with an unexpected status into an error. */
export function refusalOf(
  status: number,
  headers: IncomingHttpHeaders,
  body: { error?: string; message?: string } | null,
): Refused {
  if (status >= 300 && status < 400)
    return new Refused(
      status,
      'moved',
      `the URL redirects to ${headers.location ?? 'another'}; set QUARTERDECK_URL to the server there`,
    );
  const code = body?.error ?? CODES[status] ?? 'no_quarterdeck';
  return new Refused(status, code, body?.message, pauseOf(headers['retry-after'], Date.now()));
}

/** For responses without a code. */
const CODES: Readonly<Record<number, string>> = { 404: 'not_found', 413: 'proxy_limit', 429: 'busy' };

/** `Retry-After` in whole seconds; the header holds seconds or a date (RFC 9110, section 10.2.3). */
function pauseOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1_000;
  return Math.max(0, Math.ceil(seconds) || 0);
}

export class Unreachable extends Error {
  constructor(url: string, error: unknown) {
    super(`the server at ${url} ${error instanceof TooSlow ? 'is too slow' : 'cannot be reached'}: ${causeOf(error)}`);
  }
}

/** The connection opened, then went idle. */
export class TooSlow extends Error {
  constructor(milliseconds: number) {
    super(`no data for ${milliseconds / 1000} s`);
  }
}

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message.includes(':wrong version number:'))
    return 'it does not speak TLS; does its URL begin with http://?';
  if (UNTRUSTED.has((error as NodeJS.ErrnoException).code ?? ''))
    return 'Node.js does not trust its certificate; set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return causeOf(inner);
  return error.message.split('\n', 1)[0] ?? error.name;
}
