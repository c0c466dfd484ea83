import { Migration } from '@mikro-orm/migrations';

/** Alert rules can be disabled. */
export class DisabledRulesMigration extends Migration {
  override up(): void {
    this.addSql('alter table alert_rule add column is_enabled boolean not null default true');
  }
}
