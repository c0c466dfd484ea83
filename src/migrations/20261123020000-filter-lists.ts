import { indexMigration } from './index-migration.js';

/** Indexes for list filters, including those that match nothing. */
export const FilterListsMigration = indexMigration({
  indexes: {
    event_log_object_type_index: 'event_log (organization_id, object_type, sequence)',
    crash_issue_resolved_index: 'crash_issue (project_id, environment, resolved_at, id)',
    ticket_title_index: 'ticket (project_id, title, id)',
    ticket_created_index: 'ticket (project_id, created_at, id)',
    webhook_dead_letter_kind_index: 'webhook_dead_letter (project_id, kind, died_at, id)',
    flag_halted_index: 'flag (project_id, halted_at, id) where halted_at is not null',
    deploy_release_commit_index: 'deploy_release (project_id, environment, commit_sha, id)',
    deploy_release_promoted_index: 'deploy_release (project_id, environment, promoted_at, id)',
    changelog_entry_published_index: 'changelog_entry (project_id, published_at, id)',
  },
});
