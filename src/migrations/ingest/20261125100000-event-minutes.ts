import { Migration } from '@mikro-orm/migrations';

/**
 * The minutes of an hour in which events were received, one bit each, lowest first, so that a rare name is searched
 * only in those. Unknown for hours counted earlier.
 */
export class EventMinutesMigration extends Migration {
  override up(): void {
    this.addSql('alter table event_hour add column minutes bigint null');
    this.addSql(`create function event_id_minute(id uuid) returns int language sql immutable as $$
        select (('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 60000 % 60)::int
      $$`);
  }
}
