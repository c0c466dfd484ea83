import { Migration } from '@mikro-orm/migrations';

/** Symbol files are found by their bytes, before they are sent. Built beside writers. */
export class SymbolChecksumsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists symbol_artifact_checksum_index');
    this.addSql('create index concurrently symbol_artifact_checksum_index on symbol_artifact (project_id, sha256)');
  }
}
