import { Migration } from '@mikro-orm/migrations';

/** Flags and their versions, which the database itself keeps append-only. */
export class SwitchMigration extends Migration {
  override up(): void {
    this.addSql(`create table flag (
        id text not null,
        project_id uuid not null,
        environment text not null,
        key text not null,
        kind text not null,
        description text not null,
        default_value text not null,
        default_variant text not null,
        variants json not null,
        rules json not null,
        is_archived boolean not null default false,
        current_version int not null,
        halted_at timestamptz null,
        halt_reason text null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`create index flag_project_index on flag (project_id, environment, created_at, id)`);
    this.addSql(`alter table flag add constraint flag_key_unique unique (project_id, environment, key)`);
    this.addSql(`alter table flag add constraint flag_environment_check check (environment in ('live', 'test'))`);
    this.addSql(`alter table flag add constraint flag_kind_check check (kind in ('boolean', 'variant'))`);
    this.addSql(`create table flag_version (
        id uuid not null,
        flag_id text not null,
        version_number int not null,
        action text not null,
        behaviour json not null,
        actor_id text not null,
        actor_email text not null,
        note text null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`alter table flag_version add constraint flag_version_number_unique unique (flag_id, version_number)`);
    this.addSql(
      `alter table flag_version add constraint flag_version_action_check check (action in ('created', 'changed', 'halted', 'resumed', 'archived', 'unarchived'))`,
    );
    this.addSql(`create trigger flag_version_append_only before update or delete on flag_version
      for each row execute function refuse_change()`);
    this.addSql(`create trigger flag_version_no_truncate before truncate on flag_version
      for each statement execute function refuse_change()`);
  }
}
