const STEPS: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [86_400 * 30, 'day'],
  [86_400 * 365, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** How long ago, in words. */
function ago(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1_000;
  let unit = 1;
  for (const [limit, name] of STEPS) {
    if (Math.abs(seconds) < limit) return relative.format(Math.round(seconds / unit), name);
    unit = limit;
  }
  return instant;
}

const inUtc = (instant: string): string => `${absolute.format(new Date(instant))} UTC`;

/** An instant as people say it; the exact one, in UTC, under the pointer. */
export function When({ at }: { at: string | null | undefined }) {
  if (!at) return <span>never</span>;
  return (
    <time dateTime={at} title={inUtc(at)}>
      {ago(at)}
    </time>
  );
}
