import { Migration } from '@mikro-orm/migrations';
import { together } from '../lock-timeout.js';

/**
 * Counts events with missing symbols by day and symbol. Triggers add new events and note days with changed or deleted
 * events, also for processes of the previous release. Existing days start with a note, so that no crash event has to
 * wait.
 */
export class MissingDaysMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`create table if not exists crash_missing_day (
        project_id uuid not null,
        environment text not null,
        day date not null,
        missing text not null,
        events bigint not null,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        event_id uuid not null,
        release text null,
        release_seen_at timestamptz null,
        release_event_id uuid null,
        primary key (project_id, environment, day, missing)
      )`);
    this.addSql(`create table if not exists crash_missing_note (
        project_id uuid not null,
        environment text not null,
        day date not null,
        primary key (project_id, environment, day)
      )`);
    this.addSql(`create or replace function count_missing_symbols() returns trigger language plpgsql as $$
      begin
        -- A note that is there is written again, so that it waits for whoever takes it, and the other way round. The counts of its day go:
        -- a person may have been erased from them.
        with noted as (
          insert into crash_missing_note (project_id, environment, day)
          select distinct b.project_id, b.environment, (b.received_at at time zone 'UTC')::date
            from before b join after a using (project_id, event_id, received_at)
           where b.missing <> '{}' and (a.missing, a.release) is distinct from (b.missing, b.release) order by 1, 2, 3
          on conflict (project_id, environment, day) do update set day = excluded.day returning project_id, environment, day
        ) delete from crash_missing_day using noted
           where (crash_missing_day.project_id, crash_missing_day.environment, crash_missing_day.day) = (noted.project_id, noted.environment, noted.day);
        insert into crash_missing_day as d
        select a.project_id, a.environment, (a.received_at at time zone 'UTC')::date, m.missing, count(*), min(a.received_at), max(a.received_at),
               (array_agg(a.event_id order by a.received_at desc, a.event_id desc))[1],
               (array_agg(a.release order by a.received_at desc, a.event_id desc) filter (where a.release is not null))[1],
               max(a.received_at) filter (where a.release is not null),
               (array_agg(a.event_id order by a.received_at desc, a.event_id desc) filter (where a.release is not null))[1]
          from after a join before b using (project_id, event_id, received_at), unnest(a.missing) as m(missing)
         where a.missing <> '{}' and b.missing = '{}' group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (project_id, environment, day, missing) do update set events = d.events + excluded.events,
          first_seen_at = least(d.first_seen_at, excluded.first_seen_at),
          last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at),
          event_id = case when (excluded.last_seen_at, excluded.event_id) > (d.last_seen_at, d.event_id)
            then excluded.event_id else d.event_id end,
          (release, release_seen_at, release_event_id) = (select n.release, n.seen_at, n.event_id
            from (values (d.release, d.release_seen_at, d.release_event_id),
                         (excluded.release, excluded.release_seen_at, excluded.release_event_id)) as n(release, seen_at, event_id)
           order by n.seen_at desc nulls last, n.event_id desc limit 1);
        return null;
      end $$`);
    this.addSql(`create or replace function note_missing_symbols() returns trigger language plpgsql as $$
      begin
        with noted as (
          insert into crash_missing_note (project_id, environment, day)
          select distinct project_id, environment, (received_at at time zone 'UTC')::date from before
           where missing <> '{}' order by 1, 2, 3
          on conflict (project_id, environment, day) do update set day = excluded.day returning project_id, environment, day
        ) delete from crash_missing_day using noted
           where (crash_missing_day.project_id, crash_missing_day.environment, crash_missing_day.day) = (noted.project_id, noted.environment, noted.day);
        return null;
      end $$`);
    this.addSql(
      together(
        `create or replace trigger crash_event_missing_counted after update on crash_event
          referencing old table as before new table as after for each statement execute function count_missing_symbols()`,
        `create or replace trigger crash_event_missing_noted after delete on crash_event
          referencing old table as before for each statement execute function note_missing_symbols()`,
      ),
    );
    this.addSql(`insert into crash_missing_note (project_id, environment, day)
      select distinct project_id, environment, (received_at at time zone 'UTC')::date from crash_event where missing <> '{}'
      on conflict do nothing`);
  }
}
