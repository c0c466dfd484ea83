import { Migration } from '@mikro-orm/migrations';

/** Script artifacts record their debug id; existing tables have it among their keys. */
export class DebugIdsMigration extends Migration {
  override up(): void {
    this.addSql('alter table symbol_artifact add column debug_id text null');
    this.addSql(`update symbol_artifact a
        set debug_id = regexp_replace(k.key, '^(.{8})(.{4})(.{4})(.{4})(.{12})$', '\\1-\\2-\\3-\\4-\\5')
       from symbol_table t cross join unnest(t.keys) as k(key)
      where t.artifact_id = a.id and a.kind = 'js_sourcemap' and k.key ~ '^[0-9a-f]{32}$'`);
  }
}
