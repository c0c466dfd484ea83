const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})|([+-])(\d{2}))?)?$/;

/**
 * The instant that an ISO 8601 text names, or null when it names none: a calendar date, optionally with a time and an offset. Without
 * an offset it is UTC; parts of a millisecond are cut off. Years run from 1 to 9999.
 */
export function parseTimestamp(text: string): Date | null {
  const parts = TIMESTAMP.exec(text);
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year === 0 || month === 0 || month > 12 || day === 0 || hour > 23 || minute > 59 || second > 59) return null;
  const milliseconds = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1) return null;
  date.setUTCHours(hour, minute, second, milliseconds);
  const sign = (parts[9] ?? parts[12]) === '-' ? -1 : 1;
  const offsetHours = Number(parts[10] ?? parts[13] ?? 0);
  const offsetMinutes = Number(parts[11] ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return null;
  const instant = new Date(date.getTime() - sign * (offsetHours * 60 + offsetMinutes) * 60_000);
  return instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999 ? null : instant;
}
