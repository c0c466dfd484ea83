import { Migration } from '@mikro-orm/migrations';

/**
 * Events counted by the hour they were received. `event_hours` records up to where an environment's hours are counted;
 * a note marks an hour whose counts may be outdated, because events were added or erased.
 */
export class EventHoursMigration extends Migration {
  override up(): void {
    this.addSql(`create table event_hour (
        project_id uuid not null,
        environment text not null,
        event_name text not null,
        received timestamptz not null,
        occurred timestamptz not null,
        count bigint not null,
        primary key (project_id, environment, event_name, received, occurred)
      )`);
    this.addSql(`create index event_hour_received_index on event_hour (project_id, environment, received)`);
    this.addSql(
      `create index event_hour_occurred_index on event_hour (project_id, environment, occurred) include (event_name, received, count)`,
    );
    this.addSql(`create table event_hours (
        project_id uuid not null,
        environment text not null,
        counted_to timestamptz not null,
        primary key (project_id, environment)
      )`);
    this.addSql(`create table event_hour_note (
        project_id uuid not null,
        environment text not null,
        received timestamptz not null,
        is_manifold boolean not null default false
      )`);
    this.addSql(`create index event_hour_note_index on event_hour_note (project_id, environment, received)`);
    this.addSql(`create function hour_of(instant timestamptz) returns timestamptz language sql immutable as $$
        select to_timestamp(floor(extract(epoch from instant) / 3600) * 3600)
      $$`);
    this.addSql(`create function event_id_hour(id uuid) returns timestamptz language sql immutable as $$
        select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 3600000 * 3600)
      $$`);
    this.addSql(`create or replace function note_analytics_span(dataset text, project_id uuid, environment text, low bigint,
        high bigint, amount bigint) returns void language plpgsql as $$
      declare
        this_hour timestamptz;
      begin
        perform pg_current_xact_id();
        if exists (select from analytics_copy where wanted) then
          insert into analytics_addition (dataset, project_id, environment, low, high, amount)
          values (dataset, project_id, environment, low, high, amount);
        end if;
        this_hour := hour_of(clock_timestamp());
        if dataset = 'event' and low < extract(epoch from this_hour) * 1000 then
          insert into event_hour_note (project_id, environment, received)
          select project_id, environment, hour
            from generate_series(hour_of(to_timestamp(low / 1000.0)), least(hour_of(to_timestamp(high / 1000.0)),
                   this_hour - interval '1 hour'), interval '1 hour') as hour;
        end if;
      end $$`);
  }
}
