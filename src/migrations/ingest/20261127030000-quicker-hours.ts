import { Migration } from '@mikro-orm/migrations';

/**
 * Makes counting each event four times as fast with arithmetic on binary values instead of numerics and texts. The
 * results are the same. `date_bin` has an origin before all events, because old releases of PostgreSQL 15 are off by
 * one step at boundaries before the origin.
 */
export class QuickerHoursMigration extends Migration {
  override up(): void {
    const milliseconds = `('x' || encode(substr(uuid_send(id), 1, 6), 'hex'))::bit(48)::bigint`;
    this.addSql(`create or replace function hour_of(instant timestamptz) returns timestamptz language sql immutable as $$
        select date_bin('1 hour', instant, '0001-01-01 00:00:00+00')
      $$`);
    this.addSql(`create or replace function event_id_hour(id uuid) returns timestamptz language sql immutable as $$
        select to_timestamp(${milliseconds} / 3600000 * 3600)
      $$`);
    this.addSql(`create or replace function event_id_minute(id uuid) returns int language sql immutable as $$
        select (${milliseconds} / 60000 % 60)::int
      $$`);
  }
}
