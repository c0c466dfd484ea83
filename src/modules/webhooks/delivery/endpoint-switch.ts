import { systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { WebhookSubscriptionService } from '../subscriptions/webhook-subscription.service.js';
import type { FailingSubscription } from './delivery-records.js';
import type { EndpointWatch } from './delivery-worker.js';

/** A subscription without a success for this long is disabled; the schedule of one delivery ends after 52 hours. */
const FAILING_LIMIT_MS = 5 * DAY_MS;

/** Attempts of one delivery are at most a day apart; within a longer gap nothing was tried. */
const TRIED_MS = `
with tried as (
  select at, lag(at) over (order by at) as before from webhook_attempt where subscription_id = ? and at >= ?
)
select extract(epoch from coalesce(sum(least(at - before, interval '1 day')) filter (where before is not null), '0')
                          + coalesce(min(at) - ?, '0'))::float8 * 1000 as ms
  from tried`;

const FAILING_LATER = 'update webhook_subscription set failing_since = ? where id = ? and failing_since = ?';

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
      if (since.getTime() <= limit && (await this.hasTriedEnough(id, since, now))) await this.disable(id, 'failing');
    }
  }

  /** Time in which nothing was tried, for example because no worker ran, does not count: the subscription's failing then began later. */
  private hasTriedEnough(id: string, since: Date, now: Date): Promise<boolean> {
    return this.tx.write(systemCaller('webhook-delivery'), async ({ em }) => {
      const [row] = await em.execute<{ ms: number }[]>(TRIED_MS, [id, since, since]);
      const tried = row?.ms ?? 0;
      if (tried >= FAILING_LIMIT_MS) return true;
      await em.execute(FAILING_LATER, [new Date(now.getTime() - tried), id, since]);
      return false;
    });
  }

  private async disable(id: string, reason: 'gone' | 'failing'): Promise<void> {
    const caller = systemCaller('webhook-delivery');
    await this.tx.write(caller, (ctx) => this.subscriptions.disable(ctx, id, reason));
  }
}
