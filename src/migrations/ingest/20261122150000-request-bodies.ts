import { Migration } from '@mikro-orm/migrations';

/** The body that an `Idempotency-Key` came with, so that the same key with another one is told apart; null for keys from before. */
export class RequestBodiesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table ingest_request_key add column body_hash uuid`);
  }
}
