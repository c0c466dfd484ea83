/** What stands where an e-mail address was. */
export const REDACTED_EMAIL = '[redacted]';

const EMAIL = /[^\s@<>"',;:()[\]]{1,256}@[^\s@<>"',;:()[\]]{1,255}/gu;

/**
 * The text without e-mail addresses, for callers below Editor (decisions 5). Anything around an `@` counts as an address: people put
 * addresses into ids and free text, and the local part alone already names a person.
 */
export function redactEmails(text: string): string {
  return text.includes('@') ? text.replace(EMAIL, REDACTED_EMAIL) : text;
}

/** The same for a JSON value: its texts and the keys of its objects. */
export function redactEmailsIn(value: unknown): unknown {
  if (typeof value === 'string') return redactEmails(value);
  if (Array.isArray(value)) return value.map(redactEmailsIn);
  if (typeof value !== 'object' || value === null) return value;
  const redacted: Record<string, unknown> = Object.create(null);
  for (const [key, entry] of Object.entries(value)) redacted[redactEmails(key)] = redactEmailsIn(entry);
  return redacted;
}
