import type { CombinedError } from 'urql';

interface Extensions {
  code?: string;
  fields?: { path: string; message: string }[];
  details?: Record<string, unknown>;
}

const extensionsOf = (error: CombinedError | undefined): Extensions =>
  (error?.graphQLErrors[0]?.extensions ?? {}) as Extensions;

/** A failure's `extensions.code`; `OFFLINE` if there was no answer, undefined if there was no failure. */
function codeOf(error: CombinedError | undefined): string | undefined {
  if (!error) return undefined;
  return extensionsOf(error).code ?? (error.networkError ? 'OFFLINE' : 'INTERNAL_SERVER_ERROR');
}

const SIGNED_OUT: ReadonlySet<string | undefined> = new Set(['UNAUTHENTICATED', 'PASSWORD_CHANGE_REQUIRED']);

/** Whether the user must sign in first, or replace a password that someone else set. */
export const isSignedOut = (error: CombinedError | undefined): boolean => SIGNED_OUT.has(codeOf(error));

/** What to say about a request that a proxy refused for its size; the server itself answers with its own words. */
export const sizeRefusal = ({ networkError, response }: CombinedError): string | undefined =>
  networkError && response?.status === 413
    ? 'a proxy in front of the server refuses requests of this size. Ask whoever runs the server to raise its limit (nginx: client_max_body_size).'
    : undefined;

/** The message to show: the server's own, which says what to do next. */
export function messageOf(error: CombinedError): string {
  const tooBig = sizeRefusal(error);
  if (tooBig) return `Nothing was saved: ${tooBig}`;
  if (error.networkError) return "Can't reach the server. Try again.";
  return error.graphQLErrors.map(({ message }) => message).join(' ');
}

const NO_RESPONSE: Readonly<Record<string, string>> = {
  dns: 'host not found',
  address: 'address not allowed',
  connection: 'connection failed',
  url: 'invalid URL',
  redirect: 'redirect refused',
  timeout: 'timed out',
};

/** Why another server didn't respond to ours, in words: `dns:ENOTFOUND` is "host not found (ENOTFOUND)". */
export function noResponseInWords(failure: string): string {
  const [, kind = failure, code] = /^(\w+):(.+)$/.exec(failure) ?? [];
  const words = NO_RESPONSE[kind];
  if (!words) return failure.replaceAll('_', ' ');
  return code ? `${words} (${code})` : words;
}

/** What a bulk mutation did not do, as in its answer (docs/graphql.md). */
interface Bulk {
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly asked: number;
}

/** The refusals in an answer; empty for a mutation of one object. */
export function refusalsIn(data: unknown): Bulk {
  const answers = Object.values(data ?? {}).flatMap((answer) => (Array.isArray(answer) ? answer : []));
  const refused = answers.flatMap((one) => (one?.error ? [{ id: one.id, message: one.error.message }] : []));
  return { refused, asked: answers.length };
}

/** The message for one or more refusals. */
export function refusalText({ refused, asked }: Bulk): string {
  const messages = [...new Set(refused.map(({ message }) => message))].join(' ');
  return asked === 1 ? messages : `${asked - refused.length} of ${asked} done. ${messages}`;
}

/** Validation errors by the path of their field, for forms; `input.key` becomes `key`. */
export function fieldFaults(error: CombinedError): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, message } of extensionsOf(error).fields ?? []) {
    const name = path.replace(/^input\./, '');
    const fault = withoutPath(message, path);
    faults[name] = faults[name] ? `${faults[name]}; ${fault}` : fault;
  }
  return faults;
}

/** A message without the path it begins with, which is said in words beside it. */
function withoutPath(message: string, path: string): string {
  const [begin = '', named = ''] = /^(?:The )?(\S+) /.exec(message) ?? [];
  return named.replace(/\.(\d+)/g, '[$1]') === path && path.includes('[') ? message.slice(begin.length) : message;
}

/** Fields that the pages name differently from the schema. */
const LABELS: Readonly<Record<string, string>> = {
  patterns: 'listens to',
  authorizedOrigins: 'origins',
  authorizedAddresses: 'addresses',
  disabledModules: 'modules',
  targetingRules: 'conditions',
  branchingRules: 'branch',
};

/** The location of an error in words, counted from 1: `rules[0].split[1].variant` is "rule 1, split 2, variant". */
export const fieldInWords = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replace(/^\w+/, (name) => LABELS[name] ?? name))
    .map((part) => part.replace(/^(\w+?)s?\[(\d+)\]$/, (_, name, at) => `${name} ${Number(at) + 1}`))
    .map((part) => part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .join(', ');

export const isConflict = (error: CombinedError | undefined): boolean =>
  /VERSION_CONFLICT$|_CHANGED_MEANWHILE$/.test(codeOf(error) ?? '');

/** Whether the answer would exceed the server's size limit. */
export const isTooLarge = (error: CombinedError | undefined): boolean => codeOf(error) === 'QUERY_TOO_LARGE';

/** Whether the viewer's role is too low, which is nobody's mistake. */
export const isDenied = (error: CombinedError | undefined): boolean => codeOf(error) === 'PERMISSION_DENIED';

export const isNotFound = (error: CombinedError | undefined): boolean => /NOT_FOUND$/.test(codeOf(error) ?? '');
