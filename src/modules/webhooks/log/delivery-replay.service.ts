import type { EventLog } from '../../../events/event-log.js';
import type { RowTail } from '../../../events/row-tail.js';
import type { Context } from '../../../kernel/context.js';
import { WebhookSubscription } from '../subscriptions/webhook-subscription.entity.js';
import { webhookFailure } from '../webhooks.errors.js';
import type { WebhookDelivery } from '../webhooks.results.js';
import type { DeadLetterService } from './dead-letter.service.js';
import type { DeliveryLogService } from './delivery-log.service.js';
import { readDeliveries } from './delivery-pages.js';
import { tellDeliveries } from './live-deliveries.js';

/** What was delivered is no longer: its last attempt is one before the next, and the schedule starts again. */
const QUEUE_AGAIN = `
with again as (
  update webhook_attempt set outcome = 'retry' where subscription_id = ? and delivery_id = ? and outcome = 'delivered' returning *
)
insert into webhook_queue (id, subscription_id, event_id, kind, attempts, earlier_attempts, due_at, created_at)
select distinct on (delivery_id) delivery_id, subscription_id, event_id, kind, number, number, ?, ?
  from again order by delivery_id, number desc
on conflict do nothing`;

/** One whose attempt is under way is left alone. */
const SEND_NOW = 'update webhook_queue set due_at = ? where id = ? and due_at > ? and leased_until <= ?';

/** Sends deliveries again, whatever became of them: delivery id and webhook-id stay. */
export class DeliveryReplayService {
  constructor(
    private readonly events: EventLog,
    private readonly tail: RowTail,
    private readonly log: DeliveryLogService,
    private readonly letters: DeadLetterService,
  ) {}

  /**
   * Queues again what was given up or delivered; what waits for its next attempt is tried at once. Fails with `delivery_not_found`,
   * `subscription_off`.
   */
  async replay(ctx: Context, id: string): Promise<WebhookDelivery> {
    const { delivery, project } = await this.log.visible(ctx, 'webhook.manage', id);
    if (delivery.status === 'dead') return this.letters.replay(ctx, id);
    const subscription = await ctx.em.findOneOrFail(WebhookSubscription, { id: delivery.subscriptionId });
    if (!subscription.isEnabled) throw webhookFailure('subscription_off');
    const now = ctx.now();
    if (delivery.status === 'pending') await ctx.em.execute(SEND_NOW, [now, id, now, now]);
    else await ctx.em.execute(QUEUE_AGAIN, [subscription.id, id, now, delivery.createdAt]);
    this.events.emit(ctx, 'webhooks.delivery.replayed', {
      organizationId: project.organizationId,
      projectId: project.id,
      object: { type: 'webhook_delivery', id },
      data: { subscription_id: subscription.id, kind: delivery.kind },
    });
    ctx.afterCommit(() => tellDeliveries(this.tail, [delivery]));
    const [again = delivery] = await readDeliveries(ctx.em, project.id, [id]);
    return again;
  }
}
