import { Migration } from '@mikro-orm/migrations';
import { addIndexes } from '../concurrent-index.js';

/** An index to find symbol files by checksum before they are uploaded. Built concurrently. */
export class SymbolChecksumsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    addIndexes(this, { symbol_artifact_checksum_index: 'symbol_artifact (project_id, sha256)' });
  }
}
