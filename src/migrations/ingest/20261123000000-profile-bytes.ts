import { Migration } from '@mikro-orm/migrations';

/**
 * Stores a profile's size, so writers know it before they read the profile. Rewrites the person table: seconds for a
 * million.
 */
export class ProfileBytesMigration extends Migration {
  override up(): void {
    this.addSql(
      'alter table person add column properties_bytes integer not null generated always as (octet_length(properties::text)) stored',
    );
  }
}
