import { DAY_MS } from '../../../kernel/values/durations.js';
import type { ServedSpan } from './last-use.js';

export const STALE_REASONS = ['halted', 'unused', 'unchanging'] as const;
export type StaleReason = (typeof STALE_REASONS)[number];

export interface Staleness {
  readonly reason: StaleReason;
  /** Since when; for `unchanging`, since then at least. */
  readonly since: Date;
}

export interface Used {
  readonly createdAt: Date;
  readonly haltedAt: Date | null;
  readonly lastAt: Date | null;
  /** When counting of decisions began. */
  readonly countedSince: Date;
  /** What was served of it, and in which hours first and last. */
  readonly spans: readonly ServedSpan[];
}

const STALE_MS = 30 * DAY_MS;

/** Tells whether something was halted, not served, or the same for everyone for 30 days; null if it is in use. */
export function stalenessOf({ createdAt, haltedAt, lastAt, countedSince, spans }: Used, now: Date): Staleness | null {
  const isOld = (instant: Date) => now.getTime() - instant.getTime() >= STALE_MS;
  if (haltedAt) return isOld(haltedAt) ? { reason: 'halted', since: haltedAt } : null;
  const lastUse = lastAt ?? latest([createdAt, countedSince]);
  if (isOld(lastUse)) return { reason: 'unused', since: lastUse };
  const [current, ...others] = [...spans].sort((one, other) => other.last.getTime() - one.last.getTime());
  if (!current) return null;
  const since = latest([current.first, ...others.map(({ last }) => last)]);
  return isOld(since) ? { reason: 'unchanging', since } : null;
}

/** {@link stalenessOf} as SQL over rows of flags, aliased `r`: whether there is a reason. */
export function isStaleSql(now: Date): { readonly sql: string; readonly params: readonly Date[] } {
  const limit = new Date(now.getTime() - STALE_MS);
  const sql = `not r.is_archived and case
    when r.halted_at is not null then r.halted_at <= ?
    when coalesce((select last_at from decision_use where object_id = r.id::text),
           greatest(r.created_at, (select last_at from decision_use where object_id = ''))) <= ? then true
    else coalesce((
      select min(u.hour) <= ? and not exists (
               select from decision_usage o where o.object_id = r.id::text and o.hour > ? and o.outcome <> u.outcome)
        from decision_usage u
       where u.object_id = r.id::text
         and u.outcome = (select outcome from decision_usage where object_id = r.id::text order by hour desc limit 1)
       group by u.outcome), false) end`;
  return { sql, params: [limit, limit, limit, limit] };
}

function latest(instants: readonly Date[]): Date {
  return new Date(Math.max(...instants.map((instant) => instant.getTime())));
}
