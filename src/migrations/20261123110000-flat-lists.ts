import { Migration } from '@mikro-orm/migrations';
import { indexMigration } from './index-migration.js';

/**
 * Keeps lists fast with a hundred thousand rows: deliveries by subscription and kind, an issue's events received at the
 * same moment, and the counts of open issues and active flags from index-only scans.
 */
export const FlatListsMigration = indexMigration({
  indexes: {
    webhook_dead_letter_delivery_index: 'webhook_dead_letter (subscription_id, id)',
    webhook_dead_letter_delivery_kind_index: 'webhook_dead_letter (subscription_id, kind, id)',
    crash_issue_seen_index: 'crash_issue (project_id, environment, last_seen_at, id) include (status, merged_into_id)',
    flag_changed_index: 'flag (project_id, updated_at, id) include (is_archived)',
  },
  partitioned: {
    crash_event_of_issue_index: 'crash_event (issue_id, received_at, event_id)',
    webhook_attempt_kind_index: `webhook_attempt (subscription_id, kind, delivery_id) where outcome = 'delivered'`,
  },
  dropped: ['webhook_dead_letter_subscription_index', 'crash_issue_list_index', 'flag_updated_index'],
});

/** The new index has an issue's events in order; dropping the old one briefly locks every partition. */
export class OldIssueIndexMigration extends Migration {
  override up(): void {
    this.addSql('drop index if exists crash_event_issue_index');
  }
}
