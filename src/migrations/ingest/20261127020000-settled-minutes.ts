import { Migration } from '@mikro-orm/migrations';

/**
 * Events are counted up to a completed minute, also in the current hour. `settled_minute` is the latest possible end:
 * writers of events received before it, or before what was counted until the clock was set back, leave a note. It is a
 * minute behind the current one, so that events stored as they arrive need no note. `latest` is when the last counted
 * event occurred, so that an hour is not read for events nobody has sent yet; it is unknown for hours counted earlier.
 */
export class SettledMinutesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table event_hour add column latest timestamptz not null default 'infinity'`);
    this.addSql(`create function settled_minute() returns timestamptz language sql volatile as $$
        select to_timestamp(floor(extract(epoch from clock_timestamp()) / 60) * 60 - 60)
      $$`);
    this.addSql(`create or replace function note_analytics_span(dataset text, project_id uuid, environment text, low bigint,
        high bigint, amount bigint) returns void language plpgsql as $$
      declare
        settled timestamptz;
      begin
        perform pg_current_xact_id();
        if exists (select from analytics_copy where wanted) then
          insert into analytics_addition (dataset, project_id, environment, low, high, amount)
          values (dataset, project_id, environment, low, high, amount);
        end if;
        if dataset = 'event' then
          settled := greatest(settled_minute(), (select h.counted_to from event_hours h
            where h.project_id = note_analytics_span.project_id and h.environment = note_analytics_span.environment));
          if low < extract(epoch from settled) * 1000 then
            insert into event_hour_note (project_id, environment, received)
            select project_id, environment, hour
              from generate_series(hour_of(to_timestamp(low / 1000.0)), least(hour_of(to_timestamp(high / 1000.0)),
                     hour_of(settled)), interval '1 hour') as hour;
          end if;
        end if;
      end $$`);
  }
}
