import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/** Finds the changes made with an API token. Built concurrently; most changes come from a session. */
export class AuditTokenFilterMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, {
      event_log_actor_token_index: 'event_log (actor_token_id, sequence) where actor_token_id is not null',
    });
  }
}
