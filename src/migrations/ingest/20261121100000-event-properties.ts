import { Migration } from '@mikro-orm/migrations';

/**
 * Event properties are stored as the received text, validated but not parsed: nothing searches in them, and building
 * jsonb was a third of an event's database cost.
 */
export class EventPropertiesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table event alter column properties type json using properties::json`);
  }
}
