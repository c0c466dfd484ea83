import type { IncomingHttpHeaders } from 'node:http';

/** Whoever asks for a longer pause in all is not waited for. */
export const LONGEST_WAIT_S = 300;

/** What a person does about an answer that refuses, by its code. */
const HINTS: Record<string, string> = {
  missing_authorization: 'the token is no API token; deploy tokens and project keys cannot upload symbols',
  invalid_token: 'the token is wrong, expired or revoked',
  permission_denied: 'the token needs the role editor and must see the project',
  project_required: 'the token sees several projects, so name one with --project',
  quota_exceeded: "the project's symbol storage is full",
  file_too_large: 'the file is larger than the server takes',
  payload_too_large: 'the file is larger than the server takes',
  no_quarterdeck:
    'what answered is no Quarterdeck but another server, a proxy or a page to sign in; check QUARTERDECK_URL and what lies before the server',
  busy: 'the server, or a proxy before it, takes no more requests for now',
  not_found: 'there is no Quarterdeck at this address; check QUARTERDECK_URL',
};

export class Refused extends Error {
  /** @param pauseS seconds for which it asks to be left alone, 0 where it does not say */
  constructor(
    readonly status: number,
    readonly code: string,
    message?: string,
    readonly pauseS = 0,
  ) {
    const pause = pauseS > 0 ? `; it asks for a pause of ${pauseS} s` : '';
    super(`${HINTS[code] ?? message ?? 'the server refused it'} (${status} ${code})${pause}`);
  }

  /** Whether it would refuse any other file as well. */
  get refusesAll(): boolean {
    return (
      this.status < 400 ||
      [401, 402, 403, 404].includes(this.status) ||
      this.code === 'project_required' ||
      this.pauseS > LONGEST_WAIT_S
    );
  }
}

/** What an answer of a status that was not wanted means. */
export function refusalOf(
  status: number,
  headers: IncomingHttpHeaders,
  body: { error?: string; message?: string } | null,
): Refused {
  if (status >= 300 && status < 400)
    return new Refused(
      status,
      'moved',
      `the address leads on to ${headers.location ?? 'another'}; set QUARTERDECK_URL to the server there`,
    );
  const code = body?.error ?? CODES[status] ?? 'no_quarterdeck';
  return new Refused(status, code, body?.message, pauseOf(headers['retry-after'], Date.now()));
}

/** Of answers without one. */
const CODES: Readonly<Record<number, string>> = { 404: 'not_found', 429: 'busy' };

/** Whole seconds of `Retry-After`, which has seconds or a date (RFC 9110, section 10.2.3). */
function pauseOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1_000;
  return Math.max(0, Math.ceil(seconds) || 0);
}

export class Unreachable extends Error {
  constructor(url: string, error: unknown) {
    super(
      `the server at ${url} ${error instanceof TooSlow ? 'answers too slowly' : 'cannot be reached'}: ${causeOf(error)}`,
    );
  }
}

/** It took a connection, and then nothing moved. */
export class TooSlow extends Error {
  constructor(milliseconds: number) {
    super(`nothing moved for ${milliseconds / 1000} s`);
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message.includes(':wrong version number:')) return 'it does not speak TLS; is its address one of http://?';
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return causeOf(inner);
  return error.message.split('\n', 1)[0] ?? error.name;
}
