import { Migration } from '@mikro-orm/migrations';

/** Flag prerequisites. */
export class PrerequisitesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table flag add column prerequisites json not null default '[]'`);
  }
}
