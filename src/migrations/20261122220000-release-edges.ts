import { Migration } from '@mikro-orm/migrations';
import { addIndexes, addPartitionedIndex } from './concurrent-index.js';

const INDEXES = {
  symbol_artifact_release_index: 'symbol_artifact (project_id, environment, release, uploaded_at, id)',
  person_email_index: `person (project_id, environment, lower(properties->>'email') text_pattern_ops) where lower(properties->>'email') is not null`,
  person_name_index: `person (project_id, environment, lower(properties->>'name') text_pattern_ops) where lower(properties->>'name') is not null`,
};

/**
 * Indexes from a release to its symbols and crashes, and to find people by email address and name. Built concurrently.
 */
export class ReleaseEdgesMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    addIndexes(this, INDEXES);
    await addPartitionedIndex(this, {
      table: 'crash_event',
      index: 'crash_event_release_index',
      suffix: 'release_index',
      columns: '(project_id, environment, release, received_at, event_id) where release is not null',
    });
  }
}
