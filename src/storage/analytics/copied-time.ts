/** SQL for an instant as the store reads it: its times range from 1900 to 2299, and clients may send any year. */
export const copiedTime = (instant: string): string =>
  `to_char(greatest(least(${instant}, '2299-12-31Z'), '1900-01-01Z') at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`;
