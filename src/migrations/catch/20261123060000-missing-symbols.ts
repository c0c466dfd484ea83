import { indexMigration } from '../index-migration.js';

/** An index to find events with missing symbols among any number of others. */
export const MissingSymbolsMigration = indexMigration({
  partitioned: {
    crash_event_missing_index: `crash_event (project_id, environment, received_at) where missing <> '{}'`,
  },
});
