import { indexMigration } from '../index-migration.js';

/**
 * The dispatcher queries undispatched events by kind, so that kinds known only to a newer version are not read. Built
 * concurrently, because event_log may be large.
 */
export const UndispatchedKindsMigration = indexMigration({
  indexes: {
    event_log_undispatched_kind_index: 'event_log (kind, sequence) where dispatched_at is null',
  },
  dropped: ['event_log_undispatched_index'],
});
