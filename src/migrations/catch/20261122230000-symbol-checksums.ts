import { indexMigration } from '../index-migration.js';

/** An index to find symbol files by checksum before they are uploaded. */
export const SymbolChecksumsMigration = indexMigration({
  indexes: { symbol_artifact_checksum_index: 'symbol_artifact (project_id, sha256)' },
});
