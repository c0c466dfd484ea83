import { Migration } from '@mikro-orm/migrations';

/** Counts events (rows of `missed`, one per symbol) by day (UTC) and symbol, with data from the newest one. */
const counted = (missed: string): string => `
  select n.project_id, n.environment, n.day, n.missing, n.events, n.first_seen_at, n.last_seen_at, n.event_id, n.release, n.release_seen_at,
         n.release_event_id, i.path, coalesce(is_system_image(i.path, e.platform), false)
    from (select c.project_id, c.environment, (c.received_at at time zone 'UTC')::date as day, c.missing, count(*) as events,
                 min(c.received_at) as first_seen_at, max(c.received_at) as last_seen_at,
                 (array_agg(c.event_id order by c.received_at desc, c.event_id desc))[1] as event_id,
                 (array_agg(c.release order by c.received_at desc, c.event_id desc) filter (where c.release is not null))[1] as release,
                 max(c.received_at) filter (where c.release is not null) as release_seen_at,
                 (array_agg(c.event_id order by c.received_at desc, c.event_id desc) filter (where c.release is not null))[1] as release_event_id
            from (${missed}) c group by 1, 2, 3, 4) n
    join crash_event e on (e.project_id, e.event_id, e.received_at) = (n.project_id, n.event_id, n.last_seen_at)
   cross join lateral (
     -- Breakpad appends an age to the 32 digits of its ids.
     select nullif(min(left(i.image ->> 'codeFile', 4000)), '') as path from jsonb_path_query(e.payload, '$.images[*]') i(image)
      where left(replace(lower(i.image ->> 'debugId'), '-', ''), 32) = left(split_part(n.missing, ':', 2), 32)) i
   order by 1, 2, 3, 4`;

const COLUMNS = `project_id, environment, day, missing, events, first_seen_at, last_seen_at, event_id, release, release_seen_at,
  release_event_id, image, is_system`;

/**
 * Keeps the counts of missing symbols over all shown days, in the order shown. The triggers, which used to note days to
 * recount, now count an event's previous and current missing symbols in its own transaction.
 */
export class MissingTotalsMigration extends Migration {
  override up(): void {
    this.addSql(
      `alter table crash_missing_day add column image text null, add column is_system boolean not null default false`,
    );
    this.addSql(
      `create index crash_missing_day_symbol_index on crash_missing_day (project_id, environment, missing, day)`,
    );
    this.addSql(`create index crash_missing_day_age_index on crash_missing_day (day)`);
    this.addSql(`create table crash_missing_symbol (
        project_id uuid not null,
        environment text not null,
        missing text not null,
        events bigint not null,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        release text null,
        image text null,
        is_system boolean not null,
        primary key (project_id, environment, missing)
      )`);
    this.addSql(`create index crash_missing_symbol_list_index
      on crash_missing_symbol (project_id, environment, is_system, events desc, missing)`);
    this.addSql(`create table crash_missing_window (first date not null)`);
    this.addSql(`insert into crash_missing_window (first) values ('-infinity')`);
    this.addSql(IS_SYSTEM_IMAGE);
    this.addSql(RECOUNT_DAY);
    this.addSql(TOTAL);
    this.addSql(COUNT);
    // Renamed, because dropping the trigger would wait for all users of the table.
    this.addSql(`alter function note_missing_symbols() rename to uncount_missing_symbols`);
    this.addSql(UNCOUNT);
    // Days counted earlier have no totals yet.
    this.addSql(`insert into crash_missing_note (project_id, environment, day)
      select distinct project_id, environment, day from crash_missing_day on conflict do nothing`);
  }
}

/** Must match `isSystemImage` of the server; a test compares them. */
const APPLE = String.raw`(path ~ '^(?:/private/preboot/|/System/|/usr/lib/|/Library/(?:Apple|Developer)/)'
  or path ~ '/(?:CoreSimulator|RuntimeRoot)/(?:[^\n\r\u2028\u2029]*/)?(?:System|usr/lib)/')`;
const LINUX = String.raw`(path ~ '^/(?:usr/)?lib(?:32|64|x32)?/' or path ~ '^\[?(?:linux-vdso|linux-gate|vdso|vectors)')`;
const ANDROID = `(path ~ '^/(?:system|system_ext|apex|vendor|product|odm)/' or ${LINUX})`;
const WINDOWS = String.raw`path ~* '^[a-z]:[/\\]windows[/\\]'`;
const IS_SYSTEM_IMAGE = `create function is_system_image(path text, platform text) returns boolean immutable language sql as $$
  select case
    when platform in ('ios', 'macos', 'tvos', 'watchos', 'visionos', 'cocoa') then ${APPLE}
    when platform = 'android' then ${ANDROID}
    when platform = 'linux' then ${LINUX}
    when platform = 'windows' then ${WINDOWS}
    else ${APPLE} or ${ANDROID} or ${WINDOWS} end
  $$`;

/** Recounts the symbols of a day from its events. */
const RECOUNT_DAY = `create function recount_missing_symbols(project uuid, place text, counted date, symbols text[]) returns void language plpgsql as $$
  begin
    delete from crash_missing_day where project_id = project and environment = place and day = counted and missing = any(symbols);
    insert into crash_missing_day (${COLUMNS}) ${counted(`
      select e.project_id, e.environment, e.received_at, e.event_id, e.release, m.missing
        from crash_event e cross join unnest(e.missing) m(missing) join unnest(symbols) s(missing) on s.missing = m.missing
       where e.project_id = project and e.environment = place and e.missing <> '{}'
         -- Of many, the join alone finds sooner which ones an event misses.
         and (cardinality(symbols) > 20 or e.missing && symbols)
         and e.received_at >= counted::timestamp at time zone 'UTC' and e.received_at < (counted + 1)::timestamp at time zone 'UTC'`)};
  end $$`;

/** Sums up symbols over all counted days. */
const TOTAL = `create function total_missing_symbols(project uuid, place text, symbols text[]) returns void language plpgsql as $$
  begin
    delete from crash_missing_symbol s where project_id = project and environment = place and missing = any(symbols)
       and not exists (select from crash_missing_day d where (d.project_id, d.environment, d.missing) = (project, place, s.missing));
    insert into crash_missing_symbol (project_id, environment, missing, events, first_seen_at, last_seen_at, release, image, is_system)
    select project, place, w.missing, whole.events, whole.first_seen_at, whole.last_seen_at, named.release, newest.image, newest.is_system
      from unnest(symbols) w(missing)
     cross join lateral (
       select sum(events) as events, min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at from crash_missing_day d
        where (d.project_id, d.environment, d.missing) = (project, place, w.missing)) whole
      join lateral (
       select image, is_system from crash_missing_day d where (d.project_id, d.environment, d.missing) = (project, place, w.missing)
        order by day desc limit 1) newest on true
      left join lateral (
       select release from crash_missing_day d
        where (d.project_id, d.environment, d.missing) = (project, place, w.missing) and release is not null order by day desc limit 1) named on true
     order by w.missing
    on conflict (project_id, environment, missing) do update set events = excluded.events, first_seen_at = excluded.first_seen_at,
      last_seen_at = excluded.last_seen_at, release = excluded.release, image = excluded.image, is_system = excluded.is_system;
  end $$`;

/** Adds events without previously missing symbols; recounts the previous and current symbols of others. */
const COUNT = `create or replace function count_missing_symbols() returns trigger language plpgsql as $$
  declare
    opened date;
    place record;
  begin
    if not exists (select from before where missing <> '{}') and not exists (select from after where missing <> '{}') then
      return null;
    end if;
    -- One after the other, as symbols and events of a project change: what others count is there, or counts what is here.
    perform pg_advisory_xact_lock(hashtextextended('catch ' || project_id, 1)) from (select distinct project_id from after order by 1) p;
    select first into opened from crash_missing_window;
    for place in
      select project_id, environment, day, array_agg(distinct missing) as symbols,
             coalesce(array_agg(distinct missing) filter (where not is_new), '{}') as changed,
             array_agg(missing) filter (where is_new) as added, array_agg(received_at) filter (where is_new) as times,
             array_agg(event_id) filter (where is_new) as events, array_agg(release) filter (where is_new) as releases
        from (select a.project_id, a.environment, (a.received_at at time zone 'UTC')::date as day, b.missing = '{}' as is_new,
                     unnest(b.missing || a.missing) as missing, a.received_at, a.event_id, a.release
                from before b join after a using (project_id, event_id, received_at)
               where (a.missing, a.release) is distinct from (b.missing, b.release)
                  -- Somebody's name may have been erased from the image that is told of.
                  or b.missing <> '{}' and exists (select from crash_missing_day d
                       where (d.project_id, d.environment, d.day) = (b.project_id, b.environment, (b.received_at at time zone 'UTC')::date)
                         and d.missing = any(b.missing) and d.event_id = b.event_id)
                     and a.payload -> 'images' is distinct from b.payload -> 'images') c
       where day >= opened group by 1, 2, 3 order by 1, 2, 3
    loop
      if place.changed <> '{}' then
        perform recount_missing_symbols(place.project_id, place.environment, place.day, place.changed);
      end if;
      insert into crash_missing_day as d (${COLUMNS}) ${counted(`
        select place.project_id, place.environment, n.received_at, n.event_id, n.release, n.missing
          from unnest(place.added, place.times, place.events, place.releases) n(missing, received_at, event_id, release)
         where n.missing <> all(place.changed)`)}
      on conflict (project_id, environment, day, missing) do update set events = d.events + excluded.events,
        first_seen_at = least(d.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at),
        (event_id, image, is_system) = (select n.event_id, n.image, n.is_system
          from (values (d.last_seen_at, d.event_id, d.image, d.is_system),
                       (excluded.last_seen_at, excluded.event_id, excluded.image, excluded.is_system)) n(seen_at, event_id, image, is_system)
         order by n.seen_at desc, n.event_id desc limit 1),
        (release, release_seen_at, release_event_id) = (select n.release, n.seen_at, n.event_id
          from (values (d.release, d.release_seen_at, d.release_event_id),
                       (excluded.release, excluded.release_seen_at, excluded.release_event_id)) n(release, seen_at, event_id)
         order by n.seen_at desc nulls last, n.event_id desc limit 1);
      perform total_missing_symbols(place.project_id, place.environment, place.symbols);
    end loop;
    return null;
  end $$`;

const UNCOUNT = `create or replace function uncount_missing_symbols() returns trigger language plpgsql as $$
  declare
    opened date;
    place record;
  begin
    select first into opened from crash_missing_window;
    for place in
      select project_id, environment, day, array_agg(distinct missing) as symbols
        from (select project_id, environment, (received_at at time zone 'UTC')::date as day, unnest(missing) as missing from before) c
       where day >= opened group by 1, 2, 3 order by 1, 2, 3
    loop
      perform pg_advisory_xact_lock(hashtextextended('catch ' || place.project_id, 1));
      perform recount_missing_symbols(place.project_id, place.environment, place.day, place.symbols);
      perform total_missing_symbols(place.project_id, place.environment, place.symbols);
    end loop;
    return null;
  end $$`;
