import { Migration } from '@mikro-orm/migrations';

/** Which API token of its user made a change; the name stays when the token is deleted. */
export class AuditTokensMigration extends Migration {
  override up(): void {
    this.addSql(`alter table event_log add column actor_token_id uuid, add column actor_token_name text`);
  }
}
