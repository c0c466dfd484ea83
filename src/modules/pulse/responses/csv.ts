/** A cell that a spreadsheet would run as a formula; a leading apostrophe makes it text (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  const harmless = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** One record of RFC 4180 with its CRLF. Null is an empty field; text that would start a formula gets a leading apostrophe. */
export function csvRecord(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}
