import { Migration } from '@mikro-orm/migrations';

/** The dead letters of a subscription in their order. */
export class WebhookListsMigration extends Migration {
  override up(): void {
    this.addSql(
      `create index webhook_dead_letter_subscription_died_index on webhook_dead_letter (subscription_id, died_at, id)`,
    );
  }
}
