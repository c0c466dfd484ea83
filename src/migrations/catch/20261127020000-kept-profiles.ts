import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/** How many profiles an environment has and how large they are together is read from the index alone. Built beside writers. */
export class KeptProfilesMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, {
      crash_profile_kept_index: 'crash_profile (project_id, environment, received_at, id) include (size_bytes)',
    });
  }
}
