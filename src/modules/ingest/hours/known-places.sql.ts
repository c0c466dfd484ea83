/** `known`: where there are events, by a walk over the index from one project and environment to the next. */
export const KNOWN_PLACES = `with recursive known as (
  (select project_id, environment from event order by project_id, environment limit 1)
  union all
  select next.* from known cross join lateral (
    select project_id, environment from event
     where (project_id, environment) > (known.project_id, known.environment) order by project_id, environment limit 1) next
)`;
