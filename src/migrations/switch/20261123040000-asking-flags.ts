import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/**
 * An index of an environment's flags with prerequisites, read once for all flags of a page: searching `prerequisites`
 * for each flag took a table scan as soon as many had them. Built concurrently.
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
