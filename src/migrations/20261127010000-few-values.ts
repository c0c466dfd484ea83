import { indexMigration } from './index-migration.js';

/** Indexes for columns with few values, some of them rare. */
export const FewValuesMigration = indexMigration({
  indexes: {
    crash_issue_status_index: 'crash_issue (project_id, environment, status)',
    crash_issue_ignored_index: 'crash_issue (project_id, environment, ignored)',
    crash_issue_level_index: 'crash_issue (project_id, environment, level)',
    ticket_status_index: 'ticket (project_id, status)',
    ticket_board_status_index: 'ticket (board_id, status)',
    symbol_artifact_kind_index: 'symbol_artifact (project_id, kind, uploaded_at, id)',
    symbol_artifact_status_index: 'symbol_artifact (project_id, status, uploaded_at, id)',
    webhook_dead_letter_reason_index: 'webhook_dead_letter (project_id, reason, died_at, id)',
    webhook_dead_letter_subscription_reason_index: 'webhook_dead_letter (subscription_id, reason, died_at, id)',
    event_log_environment_index: 'event_log (organization_id, environment, sequence)',
  },
  partitioned: {
    crash_event_level_index: 'crash_event (project_id, environment, level)',
    crash_event_status_index: 'crash_event (project_id, environment, status)',
  },
});
