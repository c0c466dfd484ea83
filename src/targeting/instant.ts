/** Milliseconds of the units of a relative instant. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const RELATIVE = /^([+-])(\d{1,6})([smhdw])$/;
const ABSOLUTE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2})))?$/;

/**
 * Reads an instant as RFC 3339 writes it, seconds optional, or a date alone, which is its midnight in UTC. A time without an
 * offset is none, since nobody knows when it is.
 *
 * @returns milliseconds since 1970 in UTC, or null.
 */
export function parseInstant(text: string): number | null {
  const found = ABSOLUTE.exec(text);
  if (found === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour = 0,
    minute = 0,
    second = 0,
    fraction = '',
    sign,
    offsetHours = 0,
    offsetMinutes = 0,
  ] = found;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const fields = [year, Number(month) - 1, day, hour, minute, second, milliseconds].map(Number);
  const instant = Date.UTC(...(fields as [number, number, number, number, number, number, number]));
  const read = new Date(instant);
  const kept = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate(), read.getUTCHours()];
  if (kept.some((field, at) => field !== fields[at]) || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return sign === '-' ? instant + offset : instant - offset;
}

/** Reads a span from now, such as `-7d` or `+12h`: whole s, m, h, d or w. Milliseconds, or null. */
export function parseRelative(text: string): number | null {
  const found = RELATIVE.exec(text);
  if (found === null) return null;
  const [, sign, amount, unit = ''] = found;
  return (sign === '-' ? -1 : 1) * Number(amount) * (UNITS[unit] as number);
}
