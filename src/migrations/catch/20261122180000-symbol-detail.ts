import { Migration } from '@mikro-orm/migrations';

/** Symbol artifacts record their level of detail, and what is missing. */
export class SymbolDetailMigration extends Migration {
  override up(): void {
    this.addSql('alter table symbol_artifact add column detail text null, add column detail_reason text null');
    this.addSql(`update symbol_artifact a set detail = 'names'
      where exists (select 1 from symbol_table t where t.artifact_id = a.id and t.detail = 'names')`);
    this.addSql(`update symbol_artifact set detail = 'full' where detail is null and indexed_at is not null`);
  }
}
