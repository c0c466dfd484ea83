import { indexMigration } from '../index-migration.js';

/**
 * Indexes to list issues by age and event count and search their text, and for rules, firings and artifacts by time.
 */
export const CrashListsMigration = indexMigration({
  before: ['create extension if not exists pg_trgm'],
  indexes: {
    crash_issue_first_seen_index: 'crash_issue (project_id, environment, first_seen_at, id)',
    crash_issue_count_index: 'crash_issue (project_id, environment, event_count, id)',
    crash_issue_text_index: 'crash_issue using gin (title gin_trgm_ops, culprit gin_trgm_ops)',
    alert_rule_list_index: 'alert_rule (project_id, created_at, id)',
    alert_firing_rule_index: 'alert_firing (rule_id, fired_at)',
    symbol_artifact_project_index: 'symbol_artifact (project_id, uploaded_at, id)',
  },
});
