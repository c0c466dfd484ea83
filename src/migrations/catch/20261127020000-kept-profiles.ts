import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/** Reads the number and total size of an environment's profiles from the index alone. Built concurrently. */
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
