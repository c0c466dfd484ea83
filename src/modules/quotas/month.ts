/** The month that an instant is metered in: its first day in UTC, such as `2026-11-01`. */
export const monthOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`;

/** When the month's quotas reset: the first instant of the next month in UTC. */
export function nextMonth(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1));
}
