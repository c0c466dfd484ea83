import { Migration } from '@mikro-orm/migrations';

/** Multipart uploads of symbol files, which survive a broken connection. */
export class SymbolUploadsMigration extends Migration {
  override up(): void {
    this.addSql(`create table symbol_upload (
        id text not null,
        project_id uuid not null,
        environment text not null,
        kind text not null,
        release text not null,
        match_key text not null,
        place text not null,
        commit_sha text null,
        original_name text not null,
        size_bytes bigint not null,
        sha256 text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        primary key (id)
      )`);
    this.addSql('create index symbol_upload_project_index on symbol_upload (project_id)');
    this.addSql('create index symbol_upload_expiry_index on symbol_upload (expires_at)');
    this.addSql(`alter table symbol_upload add constraint symbol_upload_environment_check
      check (environment in ('live', 'test'))`);
    this.addSql(`alter table symbol_upload add constraint symbol_upload_kind_check
      check (kind in ('js_sourcemap', 'ios_dsym', 'android_mapping', 'android_ndk', 'flutter_symbols'))`);
    this.addSql(`create table symbol_upload_part (
        id uuid not null,
        upload_id text not null,
        position bigint not null,
        size_bytes int not null,
        sha256 text not null,
        storage_path text not null,
        primary key (id)
      )`);
    this.addSql(
      'alter table symbol_upload_part add constraint symbol_upload_part_place_unique unique (upload_id, position)',
    );
  }
}
