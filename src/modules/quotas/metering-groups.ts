import type { Meter } from './limits.js';
import { mostSql } from './metering.js';

/**
 * SQL common table expressions that grant as much of a project's quota as is left, for statements that store several metered things at
 * once. They follow `wanted(project_id, month, number)` and provide `granted(project_id, month, used, most, number)` with the previous use
 * and how many of the wanted are granted, and count those. The usage rows must exist ({@link usageRowsSql}); their locks, taken in one
 * order, make it exact under any concurrency.
 */
export function grantSql(meter: Meter): string {
  return `bounds as materialized (
  select w.project_id, w.month, w.number, ${mostSql(meter)} as most
    from wanted w left join project_plan p on p.project_id = w.project_id
), locked as materialized (
  select u.project_id, u.month, u.used from quota_usage u join wanted w on w.project_id = u.project_id and w.month = u.month
   where u.meter = '${meter}' order by u.project_id, u.month for update of u
), granted as materialized (
  select project_id, month, l.used, b.most,
         case when b.most is null then b.number else greatest(0, least(b.number, b.most - l.used)) end as number
    from bounds b join locked l using (project_id, month)
), metered as (
  update quota_usage u set used = u.used + g.number from granted g
   where u.project_id = g.project_id and u.month = g.month and u.meter = '${meter}' and g.number > 0
)`;
}

/** SQL that creates missing usage rows for projects and months (two arrays of the same length). */
export function usageRowsSql(meter: Meter): string {
  return `insert into quota_usage (project_id, meter, month, used)
    select project_id, '${meter}', month, 0 from unnest($1::uuid[], $2::date[]) as wanted(project_id, month)
     order by project_id, month on conflict do nothing`;
}
