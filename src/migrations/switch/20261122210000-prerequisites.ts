import { Migration } from '@mikro-orm/migrations';

/** What flags ask of other flags. */
export class PrerequisitesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table flag add column prerequisites json not null default '[]'`);
  }
}
