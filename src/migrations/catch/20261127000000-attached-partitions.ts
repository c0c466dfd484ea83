import { Migration } from '@mikro-orm/migrations';

/**
 * Monthly crash partitions are created separately and attached, which does not block writers; `create table … partition
 * of` would.
 */
export class AttachedPartitionsMigration extends Migration {
  override up(): void {
    this.addSql(`create or replace function crash_event_partition(month date) returns void language plpgsql as $$
      declare
        name text := 'crash_event_' || to_char(month, 'YYYY_MM');
      begin
        perform pg_advisory_xact_lock(7104418242);
        if to_regclass(name) is null then
          execute format('create table %I (like crash_event including all excluding indexes)', name);
          execute format('alter table crash_event attach partition %I for values from (%L) to (%L)', name,
            month::timestamp at time zone 'UTC', (month + interval '1 month')::timestamp at time zone 'UTC');
        end if;
      exception when check_violation then
        -- Events of the month came before its partition and stay in the default one.
        null;
      end $$`);
  }
}
