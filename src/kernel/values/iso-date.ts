const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is an existing Gregorian date in ISO 8601 extended format (`2026-02-28`), without time or zone. */
export function isIsoDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
