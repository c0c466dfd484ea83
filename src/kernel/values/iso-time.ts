/** The beginning of the year 1, the earliest time accepted from clients. */
export const FIRST_INSTANT = -62_135_596_800_000;

/** The last millisecond of the year 9999: other readers do not support five-digit years. */
const LAST_INSTANT = 253_402_300_799_999;

const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i;

const offsetMinutes = (zone: string | undefined): number => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -minutes : minutes;
};

/**
 * Parses an ISO 8601 time into milliseconds since 1970. A time without a zone is UTC, and fractions are truncated to
 * milliseconds. NaN when the text is invalid, a part is out of range (February 30, hour 25, an offset of a day), or the
 * year is outside 1 to 9999.
 */
export function isoTime(text: string): number {
  const parts = ISO_8601.exec(text);
  if (!parts) return Number.NaN;
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((i) => Number(parts[i] ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 60 || year < 1) return Number.NaN;
  if (hour === 24 && (minute > 0 || second > 0)) return Number.NaN;
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return Number.NaN;
  const time = date.getTime() + ((hour * 60 + minute - offsetMinutes(parts[8])) * 60 + second) * 1000 + ms;
  return time < FIRST_INSTANT || time > LAST_INSTANT ? Number.NaN : time;
}
