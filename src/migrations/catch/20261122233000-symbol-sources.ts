import { Migration } from '@mikro-orm/migrations';

/** Symbol servers of projects, their responses, and whether system symbols count as missing. */
export class SymbolSourcesMigration extends Migration {
  override up(): void {
    this.addSql(`create table symbol_source (
        id text not null,
        project_id uuid not null,
        name text not null,
        layout text not null,
        url text not null,
        is_enabled boolean not null,
        last_found_at timestamptz null,
        last_failed_at timestamptz null,
        last_failure text null,
        created_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql(`alter table symbol_source add constraint symbol_source_layout_check
      check (layout in ('debuginfod', 'microsoft', 'breakpad'))`);
    this.addSql('create index symbol_source_list_index on symbol_source (project_id, created_at, id)');
    this.addSql(`create table symbol_source_answer (
        source_id text not null references symbol_source (id) on delete cascade,
        environment text not null,
        key text not null,
        outcome text not null,
        expires_at timestamptz not null,
        primary key (source_id, environment, key)
      )`);
    this.addSql('create index symbol_source_answer_expiry_index on symbol_source_answer (expires_at)');
    this.addSql('alter table crash_settings add column ignores_system_images boolean not null default false');
  }
}
