import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/** Symbol files are found by their bytes, before they are sent. Built beside writers. */
export class SymbolChecksumsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, { symbol_artifact_checksum_index: 'symbol_artifact (project_id, sha256)' });
  }
}
