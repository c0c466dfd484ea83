import { indexMigration } from '../index-migration.js';

/** An index of the flags that depend on a flag, for all flags of a page at once, however many there are. */
export const NeededFlagsMigration = indexMigration({
  before: [
    `create or replace function flag_needs(project_id uuid, environment text, prerequisites json) returns text[]
      language sql immutable parallel safe as $$
        select array(select project_id::text || ' ' || environment || ' ' || (needed ->> 'key') from json_array_elements(prerequisites) needed)
      $$`,
  ],
  indexes: {
    flag_needed_index: `flag using gin (flag_needs(project_id, environment, prerequisites)) with (fastupdate = off)
        where not is_archived and json_array_length(prerequisites) > 0`,
  },
});
