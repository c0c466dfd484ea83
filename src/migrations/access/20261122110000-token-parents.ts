import { Migration } from '@mikro-orm/migrations';

/** Records which API token minted which, so that minted tokens end with their parent. */
export class TokenParentsMigration extends Migration {
  override up(): void {
    this.addSql(`alter table api_token add column parent_id uuid`);
    this.addSql(`create index api_token_parent_index on api_token (parent_id)`);
  }
}
