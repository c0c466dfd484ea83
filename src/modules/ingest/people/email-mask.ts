/** Deliberately broad: what looks like an address is one. */
const EMAIL = /[^\s"'<>(),;:@]+@[^\s"'<>(),;:@]+\.[^\s"'<>(),;:@.]{2,}/g;
const MASK = '[redacted]';

/** The text with every e-mail address replaced (decisions 5: e-mail is redacted below Editor everywhere it can appear). */
export const maskEmails = (text: string): string => (text.includes('@') ? text.replace(EMAIL, MASK) : text);

/** {@link maskEmails} in every string and key of a JSON value. */
export function maskEmailsIn(value: unknown): unknown {
  if (typeof value === 'string') return maskEmails(value);
  if (Array.isArray(value)) return value.map(maskEmailsIn);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[maskEmails(key)] = maskEmailsIn(inner);
  return copy;
}
