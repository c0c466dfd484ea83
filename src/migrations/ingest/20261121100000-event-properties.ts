import { Migration } from '@mikro-orm/migrations';

/**
 * Properties of events are stored as the text that came, checked but not taken apart: nothing searches in them, and building jsonb was
 * a third of what an event cost the database.
 */
export class EventPropertiesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table event alter column properties type json using properties::json`);
  }
}
