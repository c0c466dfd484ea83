import { Migration } from '@mikro-orm/migrations';

/** Events, access, quotas and config. The database itself keeps histories append-only. */
export class GroundMigration extends Migration {
  override up(): void {
    this.addSql(`create table api_token (
        id uuid not null,
        organization_id uuid not null,
        user_id uuid not null,
        project_id uuid null,
        name text not null,
        role text not null,
        expires_at timestamptz not null,
        last_used_at timestamptz null,
        revoked_at timestamptz null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index api_token_organization_index on api_token (organization_id)`);
    this.addSql(
      `alter table api_token add constraint api_token_role_check check (role in ('viewer', 'editor', 'admin', 'owner'))`,
    );
    this.addSql(`create table config_item (
        id uuid not null,
        project_id uuid not null,
        environment text not null,
        key text not null,
        type text not null,
        default_value text not null,
        description text not null,
        json_schema jsonb null,
        is_archived boolean not null default false,
        current_version int not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index config_item_project_index on config_item (project_id, environment, created_at, id)`);
    this.addSql(`alter table config_item add constraint config_item_key_unique unique (project_id, environment, key)`);
    this.addSql(
      `alter table config_item add constraint config_item_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(
      `alter table config_item add constraint config_item_type_check check (type in ('string', 'int', 'float', 'bool', 'json'))`,
    );
    this.addSql(`create table config_rule (
        id uuid not null,
        item_id uuid not null,
        cohort text not null,
        value text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`alter table config_rule add constraint config_rule_item_unique unique (item_id)`);
    this.addSql(`create table config_version (
        id uuid not null,
        item_id uuid not null,
        version_number int not null,
        action text not null,
        value_snapshot text not null,
        rule_snapshot text null,
        actor_id text not null,
        actor_email text not null,
        note text null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(
      `alter table config_version add constraint config_version_number_unique unique (item_id, version_number)`,
    );
    this.addSql(
      `alter table config_version add constraint config_version_action_check check (action in ('created', 'changed', 'rolled_back'))`,
    );
    this.addSql(`create table deploy_token (
        id uuid not null,
        project_id uuid not null,
        name text not null,
        hash text not null,
        hint text not null,
        last_used_at timestamptz null,
        revoked_at timestamptz null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index deploy_token_project_index on deploy_token (project_id)`);
    this.addSql(`alter table deploy_token add constraint deploy_token_hash_unique unique (hash)`);
    this.addSql(`create table organization (
        id uuid not null,
        name text not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create table project (
        id uuid not null,
        organization_id uuid not null,
        name text not null,
        authorized_origins text[] not null,
        authorized_addresses text[] not null,
        disabled_modules text[] not null,
        billing_suspended boolean not null default false,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index project_organization_index on project (organization_id)`);
    this.addSql(`create table project_key (
        id uuid not null,
        project_id uuid not null,
        environment text not null,
        name text not null,
        hash text not null,
        hint text not null,
        scopes text[] not null,
        rate_limit int null,
        last_used_at timestamptz null,
        revoked_at timestamptz null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index project_key_project_index on project_key (project_id)`);
    this.addSql(`alter table project_key add constraint project_key_hash_unique unique (hash)`);
    this.addSql(
      `alter table project_key add constraint project_key_environment_check check (environment in ('live', 'test'))`,
    );
    this.addSql(`create table project_plan (
        project_id uuid not null,
        plan text not null default 'hobby',
        events bigint null,
        decisions bigint null,
        responses bigint null,
        symbol_bytes bigint null,
        updated_at timestamptz not null,
        primary key (project_id)
      )`);
    this.addSql(
      `alter table project_plan add constraint project_plan_plan_check check (plan in ('hobby', 'pro', 'growth', 'enterprise'))`,
    );
    this.addSql(`create table project_role (
        project_id uuid not null,
        user_id uuid not null,
        role text not null,
        created_at timestamptz not null,
        primary key (project_id, user_id)
      )`);
    this.addSql(
      `alter table project_role add constraint project_role_role_check check (role in ('viewer', 'editor', 'admin', 'owner'))`,
    );
    this.addSql(`create table quota_usage (
        project_id uuid not null,
        meter text not null,
        month date not null,
        used bigint not null,
        primary key (project_id, meter, month)
      )`);
    this.addSql(`create table event_log (
        id text not null,
        sequence bigint generated always as identity not null,
        kind text not null,
        organization_id uuid not null,
        project_id uuid null,
        environment text null,
        object_type text not null,
        object_id text not null,
        actor_id text not null,
        actor_email text not null,
        address text null,
        request_id text not null,
        data jsonb not null,
        "before" jsonb null,
        "after" jsonb null,
        created_at timestamptz not null,
        dispatched_at timestamptz null,
        dispatch_after timestamptz null,
        primary key (id)
      )`);
    this.addSql(`create index event_log_undispatched_index on event_log (sequence) where dispatched_at is null`);
    this.addSql(`create index event_log_project_index on event_log (project_id, sequence)`);
    this.addSql(`create index event_log_organization_index on event_log (organization_id, sequence)`);
    this.addSql(`create table app_user (
        id uuid not null,
        email text not null,
        password_hash text not null,
        password_changed_at timestamptz not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`alter table app_user add constraint app_user_email_unique unique (email)`);
    this.addSql(`create table membership (
        id uuid not null,
        organization_id uuid not null,
        user_id uuid not null,
        role text not null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index membership_user_index on membership (user_id)`);
    this.addSql(
      `alter table membership add constraint membership_organization_user_unique unique (organization_id, user_id)`,
    );
    this.addSql(
      `alter table membership add constraint membership_role_check check (role in ('viewer', 'editor', 'admin', 'owner'))`,
    );
    this.addSql(
      `alter table membership add constraint membership_user_id_foreign foreign key (user_id) references app_user (id)`,
    );
    this.addSql(`create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
      end $$`);
    this.addSql(`create trigger config_version_append_only before update or delete on config_version
      for each row execute function refuse_change()`);
    this.addSql(`create trigger config_version_no_truncate before truncate on config_version
      for each statement execute function refuse_change()`);
    this.addSql(`create trigger event_log_append_only
      before delete or update of id, kind, organization_id, project_id, environment, object_type, object_id, actor_id,
        actor_email, address, request_id, data, "before", "after", created_at on event_log
      for each row execute function refuse_change()`);
  }
}
