import { Migration } from '@mikro-orm/migrations';

/** An index for the dead letters of a subscription in order. */
export class WebhookListsMigration extends Migration {
  override up(): void {
    this.addSql(
      `create index webhook_dead_letter_subscription_died_index on webhook_dead_letter (subscription_id, died_at, id)`,
    );
  }
}
