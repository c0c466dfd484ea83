import { Extensions } from 'type-graphql';

export const REDACTED_EMAIL = '[redacted]';

/** Characters that end an address in free text, in a URL, and in a stack trace. */
const APART = '\\s@<>"\',;:()[\\]/\\\\=&?#|{}`';

/**
 * Matches only at the start of a word, so that a text is scanned once. Browsers' `function@https://…` is not an
 * address; the `%40` of query strings is an @.
 */
const EMAIL = new RegExp(
  `(?<![^${APART}])[^${APART}]+(?:@|%40)(?!\\w+://)(?:[^${APART}]+|\\[[^\\]\\s]{1,100}\\])`,
  'gu',
);

/**
 * The text without email addresses, for callers below Editor. Anything around an @ counts as one: people put addresses
 * into ids and free text, and the local part alone already names a person.
 */
export function redactEmails(text: string): string {
  return text.includes('@') || text.includes('%40') ? text.replace(EMAIL, REDACTED_EMAIL) : text;
}

/**
 * Applies {@link redactEmails} to every string and key of a JSON value; returns the same value when there is nothing to
 * redact.
 */
export function redactEmailsIn<T>(value: T): T;
export function redactEmailsIn(value: unknown): unknown {
  if (typeof value === 'string') return redactEmails(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => redactEmailsIn(entry));
    return entries.every((entry, at) => entry === value[at]) ? value : entries;
  }
  const redacted: Record<string, unknown> = Object.create(null);
  let isSame = true;
  for (const [key, entry] of Object.entries(value)) {
    const [shownKey, shown] = [redactEmails(key), redactEmailsIn(entry)];
    redacted[shownKey] = shown;
    isSame &&= shownKey === key && shown === entry;
  }
  return isSame ? value : redacted;
}

/** Whether there is an email address in any text or key of a JSON value, such as the texts to filter by. */
export const hasEmailIn = (value: unknown): boolean => redactEmailsIn(value) !== value;

/** How to redact a field that is not only text, or whose type has no `projectId`. */
export interface Redaction<V = unknown, S extends object = object> {
  /** Must return the same value when there is nothing to redact. Default: {@link redactEmailsIn}. */
  redact?: (value: V, source: S) => V;
  /** The edge to the object with the `projectId`. Default: the field's own object. */
  projectOf?: string;
}

/**
 * Marks a GraphQL field that may contain email addresses from clients: callers below Editor in the object's project
 * see it redacted.
 */
export const RedactedBelowEditor = <V, S extends object>(
  redaction: Redaction<V, S> = {},
): ReturnType<typeof Extensions> => Extensions({ redactedBelowEditor: redaction });
