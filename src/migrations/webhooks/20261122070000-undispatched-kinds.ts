import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/**
 * The dispatcher looks for undispatched events kind by kind, so that those of kinds that only a newer version knows are not even read.
 * Built beside writers: event_log may be large.
 */
export class UndispatchedKindsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, {
      event_log_undispatched_kind_index: 'event_log (kind, sequence) where dispatched_at is null',
    });
    this.addSql('drop index concurrently if exists event_log_undispatched_index');
  }
}
