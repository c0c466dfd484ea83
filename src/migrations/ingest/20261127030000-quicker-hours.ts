import { Migration } from '@mikro-orm/migrations';

/**
 * What counting asks of each event, in a quarter of the time: arithmetic on binary values instead of numerics and texts. The values are the same.
 * `date_bin` begins where no event lies before it, since old releases of PostgreSQL 15 are wrong by a step at borders before its origin.
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
