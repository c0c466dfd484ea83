import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { DAY_MS } from '../../../kernel/values/durations.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { ProjectRows } from '../../access/project-rows.js';
import { DeadLetter } from '../subscriptions/dead-letter.entity.js';
import type { WebhookSubscription } from '../subscriptions/webhook-subscription.entity.js';
import { DEAD_LETTERS, DEAD_LETTERS_OF_SUBSCRIPTION, type DeadLetterListArgs } from '../webhook-lists.js';
import { webhookFailure } from '../webhooks.errors.js';

/** How many days a dead letter can be replayed (docs/events.md). */
const KEPT_DAYS = 30;

const DELETE_DELIVERED = `delete from webhook_dead_letter d where exists (
  select from webhook_attempt a
   where a.subscription_id = d.subscription_id and a.delivery_id = d.id and a.outcome = 'delivered')`;

export class DeadLetterService {
  private readonly rows = new ProjectRows(DeadLetter, 'uuid', () => webhookFailure('dead_letter_not_found'));

  list(operation: OperationContext, projectId: string, args: DeadLetterListArgs): Promise<Page<DeadLetter>> {
    return listOfOwner(operation, 'webhook.view', DEAD_LETTERS, projectId, args, plainConditions(args));
  }

  ofSubscription(
    operation: OperationContext,
    subscription: WebhookSubscription,
    args: DeadLetterListArgs,
  ): Promise<Page<DeadLetter>> {
    const where = plainConditions(args);
    return listOfOwner(operation, 'webhook.view', DEAD_LETTERS_OF_SUBSCRIPTION, subscription, args, where);
  }

  /** Fails with `dead_letter_not_found`. */
  get(ctx: Context, id: unknown): Promise<DeadLetter> {
    return this.rows.get(ctx, 'webhook.view', id);
  }

  /** Deletes those past their time, and any that arrived after all but were left because a worker died. */
  async deleteExpired(ctx: Context): Promise<void> {
    await ctx.em.execute(DELETE_DELIVERED);
    await ctx.em.nativeDelete(DeadLetter, { diedAt: { $lt: new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS) } });
  }
}

const plainConditions = ({ subscriptionId, kind, since }: DeadLetterListArgs) => ({
  ...(typeof subscriptionId === 'string' ? { subscriptionId } : {}),
  ...(kind ? { kind } : {}),
  ...(since ? { diedAt: { $gte: since } } : {}),
});
