import { Migration } from '@mikro-orm/migrations';
import { addIndexes, addPartitionedIndex } from './concurrent-index.js';

const INDEXES = {
  webhook_dead_letter_delivery_index: 'webhook_dead_letter (subscription_id, id)',
  webhook_dead_letter_delivery_kind_index: 'webhook_dead_letter (subscription_id, kind, id)',
  crash_issue_seen_index: 'crash_issue (project_id, environment, last_seen_at, id) include (status, merged_into_id)',
  flag_changed_index: 'flag (project_id, updated_at, id) include (is_archived)',
};

/** Indexes that the new ones replace. */
const REPLACED = ['webhook_dead_letter_subscription_index', 'crash_issue_list_index', 'flag_updated_index'];

/**
 * Keeps lists fast with a hundred thousand rows: deliveries by subscription and kind, an issue's events received at the
 * same moment, and the counts of open issues and active flags from index-only scans. Built concurrently.
 */
export class FlatListsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    addIndexes(this, INDEXES);
    await addPartitionedIndex(this, {
      table: 'crash_event',
      index: 'crash_event_of_issue_index',
      suffix: 'of_issue_index',
      columns: '(issue_id, received_at, event_id)',
    });
    await addPartitionedIndex(this, {
      table: 'webhook_attempt',
      index: 'webhook_attempt_kind_index',
      suffix: 'kind_index',
      columns: `(subscription_id, kind, delivery_id) where outcome = 'delivered'`,
    });
    for (const name of REPLACED) this.addSql(`drop index concurrently if exists ${name}`);
  }
}

/** The new index has an issue's events in order; dropping the old one briefly locks every partition. */
export class OldIssueIndexMigration extends Migration {
  override up(): void {
    this.addSql('drop index if exists crash_event_issue_index');
  }
}
