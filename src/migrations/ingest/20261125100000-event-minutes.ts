import { Migration } from '@mikro-orm/migrations';

/**
 * In which minutes of its hour events were received, a bit for each, lowest first, so that a rare name is looked for in those alone. Hours that
 * were counted before do not say.
 */
export class EventMinutesMigration extends Migration {
  override up(): void {
    this.addSql('alter table event_hour add column minutes bigint null');
    this.addSql(`create function event_id_minute(id uuid) returns int language sql immutable as $$
        select (('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 60000 % 60)::int
      $$`);
  }
}
