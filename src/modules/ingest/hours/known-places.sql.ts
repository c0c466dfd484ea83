/** `known`: where a table of events has some, by skipping through its index from one project and environment to the next. */
export const knownPlaces = (table: string): string => `with recursive known as (
  (select project_id, environment from ${table} order by project_id, environment limit 1)
  union all
  select next.* from known cross join lateral (
    select project_id, environment from ${table}
     where (project_id, environment) > (known.project_id, known.environment) order by project_id, environment limit 1) next
)`;
