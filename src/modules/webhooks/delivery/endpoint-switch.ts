import { systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { WebhookSubscriptionService } from '../subscriptions/webhook-subscription.service.js';
import type { FailingSubscription } from './delivery-records.js';
import type { EndpointWatch } from './delivery-worker.js';

/** A subscription without a success for this long is disabled; the schedule of one delivery ends after 52 hours. */
const FAILING_LIMIT_MS = 5 * DAY_MS;

export class EndpointSwitch implements EndpointWatch {
  constructor(
    private readonly tx: Transactions,
    private readonly subscriptions: WebhookSubscriptionService,
  ) {}

  async gone(subscriptionId: string): Promise<void> {
    await this.disable(subscriptionId, 'gone');
  }

  async failing(subscriptions: readonly FailingSubscription[], now: Date): Promise<void> {
    const limit = now.getTime() - FAILING_LIMIT_MS;
    for (const { id, since } of subscriptions) {
      if (since.getTime() <= limit) await this.disable(id, 'failing');
    }
  }

  private async disable(id: string, reason: 'gone' | 'failing'): Promise<void> {
    const caller = systemCaller('webhook-delivery');
    await this.tx.write(caller, (ctx) => this.subscriptions.disable(ctx, id, reason));
  }
}
