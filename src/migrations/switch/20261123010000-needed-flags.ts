import { Migration } from '@mikro-orm/migrations';

/** Finds the flags that ask for a flag. Built beside writers. */
export class NeededFlagsMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists flag_needs_index');
    this.addSql(
      `create index concurrently flag_needs_index on flag using gin ((prerequisites::jsonb) jsonb_path_ops)
        where not is_archived and json_array_length(prerequisites) > 0`,
    );
  }
}
