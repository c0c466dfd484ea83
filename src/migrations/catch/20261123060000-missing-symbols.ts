import { Migration } from '@mikro-orm/migrations';
import { addPartitionedIndex } from '../concurrent-index.js';

/** An index to find events with missing symbols among any number of others. Built concurrently. */
export class MissingSymbolsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): Promise<void> {
    return addPartitionedIndex(this, {
      table: 'crash_event',
      index: 'crash_event_missing_index',
      suffix: 'missing_index',
      columns: `(project_id, environment, received_at) where missing <> '{}'`,
    });
  }
}
