import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/**
 * The dispatcher queries undispatched events by kind, so that kinds known only to a newer version are not read. Built
 * concurrently, because event_log may be large.
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
