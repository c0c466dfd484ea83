import { Migration } from '@mikro-orm/migrations';

/** Which API token minted which, so that what a token has minted ends with it. */
export class TokenParentsMigration extends Migration {
  override up(): void {
    this.addSql(`alter table api_token add column parent_id uuid`);
    this.addSql(`create index api_token_parent_index on api_token (parent_id)`);
  }
}
