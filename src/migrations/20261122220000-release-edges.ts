import { indexMigration } from './index-migration.js';

/** Indexes from a release to its symbols and crashes, and to find people by email address and name. */
export const ReleaseEdgesMigration = indexMigration({
  indexes: {
    symbol_artifact_release_index: 'symbol_artifact (project_id, environment, release, uploaded_at, id)',
    person_email_index: `person (project_id, environment, lower(properties->>'email') text_pattern_ops) where lower(properties->>'email') is not null`,
    person_name_index: `person (project_id, environment, lower(properties->>'name') text_pattern_ops) where lower(properties->>'name') is not null`,
  },
  partitioned: {
    crash_event_release_index:
      'crash_event (project_id, environment, release, received_at, event_id) where release is not null',
  },
});
