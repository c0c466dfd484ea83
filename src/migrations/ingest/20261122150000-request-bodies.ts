import { Migration } from '@mikro-orm/migrations';

/** The body sent with an `Idempotency-Key`, to detect the same key with another body; null for older keys. */
export class RequestBodiesMigration extends Migration {
  override up(): void {
    this.addSql(`alter table ingest_request_key add column body_hash uuid`);
  }
}
