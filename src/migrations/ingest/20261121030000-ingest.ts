import { Migration } from '@mikro-orm/migrations';

/**
 * Events in monthly partitions, persons with their ids and merges, cohorts, ingestion warnings, and 24-hour
 * deduplication.
 */
export class IngestMigration extends Migration {
  override up(): void {
    this.addSql(`create table event (
        id uuid not null,
        project_id uuid not null,
        environment text not null,
        event_name text not null,
        distinct_id text not null,
        occurred_at timestamptz not null,
        properties jsonb not null
      ) partition by range (id)`);
    this.addSql(`create index event_project_index on event (project_id, environment, id)`);
    this.addSql(`create index event_names_index on event
      using brin (distinct_id text_bloom_ops, event_name text_bloom_ops) with (pages_per_range = 32, autosummarize = on)`);
    this.addSql(`create function event_id_floor(instant timestamptz) returns uuid language sql immutable as $$
        select (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      $$`);
    this.addSql(`create function ensure_event_partition(month date) returns void language plpgsql as $$
        declare
          name text := 'event_' || to_char(month, 'YYYY_MM');
          opens timestamptz := month::timestamp at time zone 'UTC';
          closes timestamptz := (month + interval '1 month') at time zone 'UTC';
        begin
          perform pg_advisory_xact_lock(7104418226);
          if to_regclass(name) is null then
            execute format('create table %I (like event including defaults)', name);
            execute format('alter table event attach partition %I for values from (%L) to (%L)',
              name, event_id_floor(opens), event_id_floor(closes));
          end if;
        end $$`);
    this.addSql(`create table person (
        id text not null,
        project_id uuid not null,
        environment text not null,
        properties jsonb not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index person_project_index on person (project_id, environment, created_at, id)`);
    this.addSql(`create index person_properties_index on person using gin (properties jsonb_path_ops)`);
    this.addSql(`create table person_id (
        project_id uuid not null,
        environment text not null,
        distinct_id text not null,
        person_id text not null,
        alias_of text null,
        created_at timestamptz not null,
        primary key (project_id, environment, distinct_id)
      )`);
    this.addSql(`create index person_id_person_index on person_id (person_id)`);
    this.addSql(`create table person_merge (
        id text not null,
        project_id uuid not null,
        environment text not null,
        alias_id text not null,
        distinct_id text not null,
        person_id text not null,
        merged_person_id text null,
        merged_ids text[] not null,
        merged_properties jsonb not null,
        taken_properties jsonb not null,
        merged_created_at timestamptz not null,
        merged_at timestamptz not null,
        undone_at timestamptz null,
        primary key (id)
      )`);
    this.addSql(`create index person_merge_alias_index on person_merge (project_id, environment, alias_id, merged_at)`);
    this.addSql(`create table cohort (
        id text not null,
        project_id uuid not null,
        name text not null,
        description text not null default '',
        predicate text null,
        distinct_ids text[] null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`alter table cohort add constraint cohort_name_unique unique (project_id, name)`);
    this.addSql(`create table ingestion_warning (
        id text not null,
        project_id uuid not null,
        environment text not null,
        key_id uuid not null,
        reason text not null,
        day date not null,
        count bigint not null,
        last_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(
      `alter table ingestion_warning add constraint ingestion_warning_unique unique (project_id, environment, day, key_id, reason)`,
    );
    this.addSql(`create table ingest_request_key (
        project_id uuid not null,
        environment text not null,
        key_hash uuid not null,
        used_at timestamptz not null,
        answer jsonb not null,
        primary key (project_id, environment, key_hash)
      )`);
    this.addSql(`create index ingest_request_key_age_index on ingest_request_key using brin (used_at)`);
    this.addSql(`create table ingest_insert_id (
        project_id uuid not null,
        environment text not null,
        id_hash uuid not null,
        seen_at timestamptz not null,
        primary key (project_id, environment, id_hash)
      )`);
    this.addSql(`create index ingest_insert_id_age_index on ingest_insert_id using brin (seen_at)`);
    for (const table of ['person', 'person_merge', 'ingestion_warning']) {
      this.addSql(
        `alter table ${table} add constraint ${table}_environment_check check (environment in ('live', 'test'))`,
      );
    }
  }
}
