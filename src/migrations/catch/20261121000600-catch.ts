import { Migration } from '@mikro-orm/migrations';

/**
 * Symbol artifacts and their tables; crash events, partitioned by month received, and their issues; alert rules;
 * profiles.
 */
export class CatchMigration extends Migration {
  override up(): void {
    this.addSql(`create table symbol_artifact (
        id text not null,
        project_id uuid not null,
        environment text not null,
        kind text not null,
        release text not null,
        match_key text not null,
        place text not null,
        size_bytes bigint not null,
        sha256 text not null,
        status text not null,
        failure_code text null,
        failure_reason text null,
        commit_sha text null,
        original_name text not null,
        storage_path text not null,
        uploaded_at timestamptz not null,
        indexed_at timestamptz null,
        primary key (id)
      )`);
    this.addSql(
      `create index symbol_artifact_list_index on symbol_artifact (project_id, environment, uploaded_at, id)`,
    );
    this.addSql(`create unique index symbol_artifact_place_unique
      on symbol_artifact (project_id, environment, kind, release, place, sha256) where status <> 'failed'`);
    this.addSql(
      `alter table symbol_artifact add constraint symbol_artifact_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`alter table symbol_artifact add constraint symbol_artifact_kind_check
      check (kind in ('js_sourcemap', 'ios_dsym', 'android_mapping', 'android_ndk', 'flutter_symbols'))`);
    this.addSql(
      `alter table symbol_artifact add constraint symbol_artifact_status_check check (status in ('pending', 'ready', 'failed'))`,
    );
    this.addSql(`create table symbol_table (
        id uuid not null,
        artifact_id text not null,
        project_id uuid not null,
        environment text not null,
        kind text not null,
        release text not null,
        format text not null,
        keys text[] not null,
        arch text not null,
        detail text not null,
        dart_sections jsonb null,
        storage_path text not null,
        uploaded_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index symbol_table_artifact_index on symbol_table (artifact_id)`);
    this.addSql(`create index symbol_table_key_index on symbol_table using gin (keys)`);
    this.addSql(
      `create index symbol_table_release_index on symbol_table (project_id, environment, kind, release, uploaded_at)`,
    );
    this.addSql(
      `alter table symbol_table add constraint symbol_table_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`create table crash_issue (
        id text not null,
        project_id uuid not null,
        environment text not null,
        fingerprint text not null,
        title text not null,
        culprit text not null,
        platform text not null,
        level text not null,
        status text not null,
        event_count bigint not null,
        first_seen_at timestamptz not null,
        last_seen_at timestamptz not null,
        first_release text null,
        last_release text null,
        resolved_at timestamptz null,
        primary key (id)
      )`);
    this.addSql(`create index crash_issue_list_index on crash_issue (project_id, environment, last_seen_at, id)`);
    this.addSql(
      `alter table crash_issue add constraint crash_issue_fingerprint_unique unique (project_id, environment, fingerprint)`,
    );
    this.addSql(
      `alter table crash_issue add constraint crash_issue_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(
      `alter table crash_issue add constraint crash_issue_status_check check (status in ('open', 'resolved'))`,
    );
    this.addSql(`create table alert_rule (
        id text not null,
        project_id uuid not null,
        environment text not null,
        name text not null,
        condition text not null,
        threshold int not null,
        window_minutes int not null,
        last_fired_at timestamptz null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index alert_rule_project_index on alert_rule (project_id, environment)`);
    this.addSql(
      `alter table alert_rule add constraint alert_rule_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`alter table alert_rule add constraint alert_rule_condition_check
      check (condition in ('issue_created', 'issue_regressed', 'event_count'))`);
    this.addSql(`create table alert_firing (
        rule_id text not null,
        issue_id text not null,
        fired_at timestamptz not null,
        primary key (rule_id, issue_id)
      )`);
    this.addSql(`create table crash_event_seen (
        project_id uuid not null,
        event_id uuid not null,
        received_at timestamptz not null,
        primary key (project_id, event_id)
      )`);
    this.addSql(`create index crash_event_seen_age_index on crash_event_seen (received_at)`);
    this.addSql(`create table crash_event (
        event_id uuid not null,
        project_id uuid not null,
        environment text not null,
        received_at timestamptz not null,
        occurred_at timestamptz not null,
        platform text not null,
        level text not null,
        release text null,
        distinct_id text null,
        title text not null,
        payload jsonb not null,
        status text not null,
        frames jsonb null,
        stacktrace text null,
        exception_type text null,
        missing text[] not null default '{}',
        issue_id text null,
        symbolicated_at timestamptz null,
        primary key (project_id, event_id, received_at)
      ) partition by range (received_at)`);
    this.addSql(`create index crash_event_list_index on crash_event (project_id, environment, received_at, event_id)`);
    this.addSql(`create index crash_event_issue_index on crash_event (issue_id, received_at)`);
    this.addSql(
      `create index crash_event_pending_index on crash_event (project_id, environment, received_at) where status = 'pending'`,
    );
    this.addSql(`create table crash_event_other partition of crash_event default`);
    this.addSql(`create function crash_event_partition(month date) returns void language plpgsql as $$
      begin
        execute format('create table if not exists %I partition of crash_event for values from (%L) to (%L)',
          'crash_event_' || to_char(month, 'YYYY_MM'), month::timestamp at time zone 'UTC',
          (month + interval '1 month')::timestamp at time zone 'UTC');
      exception when check_violation then
        -- Events of the month came before its partition and stay in the default one.
        null;
      end $$`);
    this.addSql(`select crash_event_partition((date_trunc('month', now() at time zone 'UTC') + make_interval(months => step))::date)
      from generate_series(0, 1) step`);
    this.addSql(`create table crash_profile (
        id uuid not null,
        project_id uuid not null,
        environment text not null,
        size_bytes bigint not null,
        storage_path text not null,
        received_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index crash_profile_age_index on crash_profile (received_at)`);
  }
}
