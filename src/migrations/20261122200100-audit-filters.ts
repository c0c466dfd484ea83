import { Migration } from '@mikro-orm/migrations';

const INDEXES = {
  event_log_object_index: '(object_id, sequence)',
  event_log_actor_index: '(organization_id, actor_id, sequence)',
  event_log_kind_index: '(organization_id, kind, sequence)',
  event_log_project_kind_index: '(project_id, kind, sequence)',
  event_log_time_index: '(organization_id, created_at)',
};

/** The audit log is filtered by what was changed, by whom, how and when. Built beside writers: event_log may be large. */
export class AuditFiltersMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, columns] of Object.entries(INDEXES)) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on event_log ${columns}`);
    }
  }
}
