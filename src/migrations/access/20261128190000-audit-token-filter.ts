import { indexMigration } from '../index-migration.js';

/** Finds the changes made with an API token. Built concurrently; most changes come from a session. */
export const AuditTokenFilterMigration = indexMigration({
  indexes: {
    event_log_actor_token_index: 'event_log (actor_token_id, sequence) where actor_token_id is not null',
  },
});
