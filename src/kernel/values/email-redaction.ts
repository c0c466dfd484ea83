import { Extensions } from 'type-graphql';

/** What stands where an e-mail address was. */
export const REDACTED_EMAIL = '[redacted]';

/** Characters at which an address ends in free text, in the address of a page, and in a stack trace. */
const APART = '\\s@<>"\',;:()[\\]/\\\\=&?#|{}`';

/**
 * Begins only where a word begins, so that a text is read once however many words it has. What browsers print as
 * `function@https://…` is not an address; the `%40` of query strings is an @.
 */
const EMAIL = new RegExp(
  `(?<![^${APART}])[^${APART}]+(?:@|%40)(?!\\w+://)(?:[^${APART}]+|\\[[^\\]\\s]{1,100}\\])`,
  'gu',
);

/**
 * The text without e-mail addresses, for callers below Editor. Anything around an @ counts as one: people put addresses
 * into ids and free text, and the local part alone already names a person.
 */
export function redactEmails(text: string): string {
  return text.includes('@') || text.includes('%40') ? text.replace(EMAIL, REDACTED_EMAIL) : text;
}

/** Whether a text, such as one to filter by, names an e-mail address. */
export const namesEmail = (text: string | null | undefined): boolean => !!text && redactEmails(text) !== text;

/** {@link redactEmails} in every text and key of a JSON value; the very same where there is nothing to redact. */
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

/** Whether there is an e-mail address in any text or key of a JSON value. */
export const hasEmailIn = (value: unknown): boolean => redactEmailsIn(value) !== value;

/** How a field is redacted that is not all texts, or not of a type that has a `projectId`. */
export interface Redaction<V = unknown, S extends object = object> {
  /** Gives the very same back where there is nothing to redact. {@link redactEmailsIn} when absent. */
  redact?: (value: V, source: S) => V;
  /** The edge to the object that has the `projectId`; the field's own object has it when absent. */
  projectOf?: string;
}

/**
 * Marks a GraphQL field that clients may fill with e-mail addresses: callers below Editor in the project that its object belongs to
 * see it redacted.
 */
export const RedactedBelowEditor = <V, S extends object>(
  redaction: Redaction<V, S> = {},
): ReturnType<typeof Extensions> => Extensions({ redactedBelowEditor: redaction });
