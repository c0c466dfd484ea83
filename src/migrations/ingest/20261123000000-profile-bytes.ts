import { Migration } from '@mikro-orm/migrations';

/** Writers know how large a profile is before they read it. Rewrites the table of persons: seconds for a million. */
export class ProfileBytesMigration extends Migration {
  override up(): void {
    this.addSql(
      'alter table person add column properties_bytes integer not null generated always as (octet_length(properties::text)) stored',
    );
  }
}
