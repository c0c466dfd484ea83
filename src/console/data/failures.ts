import type { CombinedError } from 'urql';

interface Extensions {
  code?: string;
  fields?: { path: string; message: string }[];
  details?: Record<string, unknown>;
}

const extensionsOf = (error: CombinedError | undefined): Extensions =>
  (error?.graphQLErrors[0]?.extensions ?? {}) as Extensions;

/** The `extensions.code` of a failure, `OFFLINE` where no answer came, undefined for no failure. */
function codeOf(error: CombinedError | undefined): string | undefined {
  if (!error) return undefined;
  return extensionsOf(error).code ?? (error.networkError ? 'OFFLINE' : 'INTERNAL_SERVER_ERROR');
}

const SIGNED_OUT: ReadonlySet<string | undefined> = new Set(['UNAUTHENTICATED', 'PASSWORD_CHANGE_REQUIRED']);

/** Whether somebody must sign in first, and there choose another password where somebody else has chosen theirs. */
export const isSignedOut = (error: CombinedError | undefined): boolean => SIGNED_OUT.has(codeOf(error));

/** What to tell a person: the server's own words, which say what to do next. */
export function messageOf(error: CombinedError): string {
  if (error.networkError) return 'The server cannot be reached. What you see is what it said last; try again.';
  return error.graphQLErrors.map(({ message }) => message).join(' ');
}

/** What a mutation of several objects at once did not do, as its answer has it (docs/graphql.md). */
interface Bulk {
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly asked: number;
}

/** The refusals in an answer; none in that of a mutation of one object. */
export function refusalsIn(data: unknown): Bulk {
  const answers = Object.values(data ?? {}).flatMap((answer) => (Array.isArray(answer) ? answer : []));
  const refused = answers.flatMap((one) => (one?.error ? [{ id: one.id, message: one.error.message }] : []));
  return { refused, asked: answers.length };
}

/** What to tell a person about refusals, of which there is one at least. */
export function refusalText({ refused, asked }: Bulk): string {
  const messages = [...new Set(refused.map(({ message }) => message))].join(' ');
  return asked === 1 ? messages : `${asked - refused.length} of ${asked} done. ${messages}`;
}

/** Faults of an input by the path of their field, as forms want them; those of `input.key` stand under `key`. */
export function fieldFaults(error: CombinedError): Record<string, string> {
  const fields = extensionsOf(error).fields ?? [];
  return Object.fromEntries(fields.map(({ path, message }) => [path.replace(/^input\./, ''), message]));
}

/** Fields that the pages call otherwise than the schema does. */
const LABELS: Readonly<Record<string, string>> = {
  url: 'target',
  patterns: 'listens to',
  authorizedOrigins: 'origins',
  authorizedAddresses: 'addresses',
  disabledModules: 'modules',
};

/** Where a fault is, as people count and as the pages say: `rules[0].split[1].variant` is "rule 1, split 2, variant". */
export const placeOf = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replace(/^\w+/, (name) => LABELS[name] ?? name))
    .map((part) => part.replace(/^(\w+?)s?\[(\d+)\]$/, (_, name, at) => `${name} ${Number(at) + 1}`))
    .map((part) => part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .join(', ');

export const isConflict = (error: CombinedError | undefined): boolean =>
  /VERSION_CONFLICT$|_CHANGED_MEANWHILE$/.test(codeOf(error) ?? '');

/** Whether the answer would be more than the server sends at once. */
export const isTooLarge = (error: CombinedError | undefined): boolean => codeOf(error) === 'QUERY_TOO_LARGE';

export const isNotFound = (error: CombinedError | undefined): boolean => /NOT_FOUND$/.test(codeOf(error) ?? '');
