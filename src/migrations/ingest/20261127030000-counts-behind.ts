import { Migration } from '@mikro-orm/migrations';

/** What comes before the end of what was counted leaves a note, too: a clock that is set back would have it pass for settled later on. */
export class CountsBehindMigration extends Migration {
  override up(): void {
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
