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

/** {@link redactEmails} in every text and key of a JSON value. */
export function redactEmailsIn(value: unknown): unknown {
  if (typeof value === 'string') return redactEmails(value);
  if (Array.isArray(value)) return value.map(redactEmailsIn);
  if (typeof value !== 'object' || value === null) return value;
  const redacted: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) redacted[redactEmails(key)] = redactEmailsIn(entry);
  return redacted;
}

/**
 * Marks a GraphQL field that clients may fill with e-mail addresses, on a type that has a `projectId`: callers below Editor
 * in that project see it redacted.
 */
export const RedactedBelowEditor = (): ReturnType<typeof Extensions> => Extensions({ redactedBelowEditor: true });
