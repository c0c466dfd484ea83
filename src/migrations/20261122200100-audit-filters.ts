import { indexMigration } from './index-migration.js';

/**
 * Indexes to filter the audit log by object, actor, kind and time. Built concurrently, because event_log may be large.
 */
export const AuditFiltersMigration = indexMigration({
  indexes: {
    event_log_object_index: 'event_log (object_id, sequence)',
    event_log_actor_index: 'event_log (organization_id, actor_id, sequence)',
    event_log_kind_index: 'event_log (organization_id, kind, sequence)',
    event_log_project_kind_index: 'event_log (project_id, kind, sequence)',
    event_log_time_index: 'event_log (organization_id, created_at)',
  },
});
