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
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):(\d{2})))?$/;

/**
 * Parses an RFC 3339 instant with optional seconds, or a date alone, which means midnight UTC. A time without an offset
 * is ambiguous, so it is not an instant. A leap second counts as the following second, as in Unix time.
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
  const fields = [year, Number(month) - 1, day, hour, minute].map(Number) as [number, number, number, number, number];
  const begin = Date.UTC(...fields);
  const read = new Date(begin);
  const kept = [read.getUTCFullYear(), read.getUTCMonth(), read.getUTCDate(), read.getUTCHours()];
  if (kept.some((field, at) => field !== fields[at]) || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const minuteBegin = sign === '-' ? begin + offset : begin - offset;
  if (Number(second) === 60 && !isLastOfMonth(minuteBegin)) return null;
  return minuteBegin + Number(second) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Whether a minute is the last of a month in UTC; only these can have a 61st second. */
function isLastOfMonth(minuteBegin: number): boolean {
  const next = new Date(minuteBegin + 60_000);
  return next.getUTCDate() === 1 && next.getUTCHours() === 0 && next.getUTCMinutes() === 0;
}

/** Parses a span relative to now, such as `-7d` or `+12h`: whole s, m, h, d or w. Milliseconds, or null. */
export function parseRelative(text: string): number | null {
  const found = RELATIVE.exec(text);
  if (found === null) return null;
  const [, sign, amount, unit = ''] = found;
  return (sign === '-' ? -1 : 1) * Number(amount) * (UNITS[unit] as number);
}
