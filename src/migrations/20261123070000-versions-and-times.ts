import { Migration } from '@mikro-orm/migrations';
import { addIndexes, addPartitionedIndex } from './concurrent-index.js';

const INDEXES = {
  config_item_version_index: 'config_item (project_id, environment, current_version, id)',
  crash_issue_assignee_index: 'crash_issue (project_id, environment, assignee_id, last_seen_at, id)',
};

/**
 * Indexes to find config items by version, crash issues by assignee and crash events by time, even if none match. Built
 * concurrently.
 */
export class VersionsAndTimesMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    addIndexes(this, INDEXES);
    await addPartitionedIndex(this, {
      table: 'crash_event',
      index: 'crash_event_occurred_index',
      suffix: 'occurred_index',
      columns: '(project_id, environment, occurred_at, event_id)',
    });
  }
}
