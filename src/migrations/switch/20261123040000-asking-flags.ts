import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/**
 * The flags of an environment that ask for others, read once for all that are looked at: looked for one by one in `prerequisites`,
 * they took a scan of the table for each as soon as many asked. Built beside writers.
 */
export class AskingFlagsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, {
      flag_asking_index: `flag (project_id, environment, key)
        where not is_archived and json_array_length(prerequisites) > 0`,
    });
    this.addSql('drop index concurrently if exists flag_needs_index');
  }
}
