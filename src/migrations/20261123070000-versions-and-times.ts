import { indexMigration } from './index-migration.js';

/** Indexes to find config items by version, crash issues by assignee and crash events by time, even if none match. */
export const VersionsAndTimesMigration = indexMigration({
  indexes: {
    config_item_version_index: 'config_item (project_id, environment, current_version, id)',
    crash_issue_assignee_index: 'crash_issue (project_id, environment, assignee_id, last_seen_at, id)',
  },
  partitioned: {
    crash_event_occurred_index: 'crash_event (project_id, environment, occurred_at, event_id)',
  },
});
