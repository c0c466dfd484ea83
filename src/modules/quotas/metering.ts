import type { Meter } from './limits.js';
import { PLAN_LIMITS, PLANS, THRESHOLDS } from './limits.js';
import { monthOf, nextMonth } from './month.js';

/** Runs one statement; both `pg` clients and the EntityManager's connection fit. */
export type Query = (sql: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

export interface Metered {
  /** False: nothing was counted, because the limit would be exceeded. */
  allowed: boolean;
  /** Used before this call if rejected, after it if allowed. */
  current: number;
  /** Null is unlimited. */
  limit: number | null;
  resetsAt: Date;
  /** Thresholds (percent) that this call crossed. */
  crossed: number[];
}

const PLAN_CASE = (meter: Meter): string =>
  PLANS.map((plan) => `when '${plan}' then ${PLAN_LIMITS[plan][meter] ?? 'null::bigint'}`).join(' ');

/** SQL for a project's effective limit, with `project_plan` left-joined as `p`; null is unlimited. */
export const mostSql = (meter: Meter): string =>
  `case when p.project_id is null then ${PLAN_LIMITS.hobby[meter]} else coalesce(p.${meter}, case p.plan ${PLAN_CASE(meter)} end) end`;

/** The `with` of {@link consumeSql}: `counted` has a row with `used` if it was allowed, `bounds` the limit as `most`. */
export function countingSql(meter: Meter): string {
  return `with bounds as (
      select ${mostSql(meter)} as most
        from (select 1) one left join project_plan p on p.project_id = $1::uuid
    ), counted as (
      insert into quota_usage as q (project_id, meter, month, used)
      select $1::uuid, '${meter}', $2::date, $3::bigint from bounds where most is null or $3::bigint <= most
      on conflict (project_id, meter, month) do update set used = q.used + excluded.used
        where (select most from bounds) is null or q.used + excluded.used <= (select most from bounds)
      returning used
    )`;
}

/**
 * SQL that counts `amount` on a project's meter unless the limit would be exceeded: the row lock makes it exact under any concurrency, and
 * the surrounding transaction can roll it back. Parameters: project, month, amount.
 */
function consumeSql(meter: Meter): string {
  return `${countingSql(meter)} select (select used from counted) as used, (select most from bounds) as most`;
}

const CONSUME = {
  events: consumeSql('events'),
  decisions: consumeSql('decisions'),
  responses: consumeSql('responses'),
};

/**
 * SQL expression for "a project's meter is used up"; a limit of 0 is used up from the start.
 * @param project and `month` are the numbers of the statement's parameters, `$1` for example.
 */
export function usedUpSql(meter: Meter, project: string, month: string): string {
  return `(select coalesce(coalesce(u.used, 0) >= coalesce(p.${meter}, case coalesce(p.plan, 'hobby') ${PLAN_CASE(meter)} end), false)
     from (select 1) one
     left join project_plan p on p.project_id = ${project}::uuid
     left join quota_usage u on u.project_id = ${project}::uuid and u.meter = '${meter}' and u.month = ${month}::date)`;
}

/** Counts `amount` or rejects, in the caller's transaction. Hot path: one statement if allowed, two if rejected. */
export async function consume(
  query: Query,
  projectId: string,
  meter: Meter,
  amount: number,
  now: Date,
): Promise<Metered> {
  const month = monthOf(now);
  const { rows } = await query(CONSUME[meter], [projectId, month, amount]);
  const row = rows[0] as { used: string | null; most: string | null };
  const limit = row.most === null ? null : Number(row.most);
  const resetsAt = nextMonth(now);
  if (row.used !== null) {
    const current = Number(row.used);
    return { allowed: true, current, limit, resetsAt, crossed: crossedThresholds(current - amount, current, limit) };
  }
  const used = await query('select used from quota_usage where project_id = $1 and meter = $2 and month = $3', [
    projectId,
    meter,
    month,
  ]);
  return { allowed: false, current: Number(used.rows[0]?.used ?? 0), limit, resetsAt, crossed: [] };
}

/** SQL: whether growing use passed a percentage of its limit; names of columns or numbers. */
export const crossesSql = (percent: number | string, use: { before: string; after: string; limit: string }): string =>
  `${use.before} < ${use.limit} * ${percent} / 100.0 and ${use.after} >= ${use.limit} * ${percent} / 100.0`;

/** Percentages above `before` and at or below `after`. */
function crossedThresholds(before: number, after: number, limit: number | null): number[] {
  if (limit === null || limit === 0) return [];
  return THRESHOLDS.filter((percent) => before < (limit * percent) / 100 && after >= (limit * percent) / 100);
}
