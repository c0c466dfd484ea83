import type { Context } from '../../../kernel/context.js';
import { loadAlike } from '../../../kernel/lists/grouped-reads.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { authorize, userOf } from '../../access/guard.js';
import type { WebhookSubscription } from '../subscriptions/webhook-subscription.entity.js';
import type { WebhookDeliveryListArgs } from '../webhook-lists.js';
import { webhookFailure } from '../webhooks.errors.js';
import type { WebhookAttempt, WebhookDelivery } from '../webhooks.results.js';
import { findDeliveries, readDeliveryPages } from './delivery-pages.js';
import { type DeliveryQuestion, deliveryQuestion } from './delivery-question.js';

export interface DeliveryKey {
  subscriptionId: string;
  id: string;
}

const PAGES = Symbol('pages of webhook deliveries');

/** Delivered, waiting and dead deliveries, with every attempt. */
export class DeliveryLogService {
  async list(
    operation: OperationContext,
    projectId: string,
    args: WebhookDeliveryListArgs,
    subscriptionId?: string | null,
  ): Promise<Page<WebhookDelivery>> {
    const project = await authorize(operation.current, 'webhook.view', projectId);
    return pageOf(operation, project.id, deliveryQuestion('project', args, subscriptionId));
  }

  async ofSubscription(
    operation: OperationContext,
    { id, projectId }: WebhookSubscription,
    args: WebhookDeliveryListArgs,
  ): Promise<Page<WebhookDelivery>> {
    await authorize(operation.current, 'webhook.view', projectId);
    return pageOf(operation, id, deliveryQuestion('subscription', args));
  }

  /** Fails with `delivery_not_found`. */
  async get(ctx: Context, id: string): Promise<WebhookDelivery> {
    const invisible = () => webhookFailure('delivery_not_found');
    const delivery = (await findDeliveries(ctx.em, userOf(ctx).organizationId, [id])).get(id.toLowerCase());
    if (!delivery) throw invisible();
    await authorize(ctx, 'webhook.view', delivery.projectId, invisible);
    return delivery;
  }

  /** The attempts of deliveries that the caller has been shown, in order, one list each. */
  async attempts(ctx: Context, deliveries: readonly DeliveryKey[]): Promise<WebhookAttempt[][]> {
    const rows = await ctx.em.execute<AttemptRow[]>(
      `select a.delivery_id as "deliveryId", a.number, a.at, a.status, a.failure, a.latency_ms as "latencyMs", a.answer
         from unnest(array[?]::text[], array[?]::uuid[]) as d(subscription_id, id)
         join webhook_attempt a on a.subscription_id = d.subscription_id and a.delivery_id = d.id
        order by a.number, a.at`,
      [deliveries.map(({ subscriptionId }) => subscriptionId), deliveries.map(({ id }) => id)],
    );
    const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
    const attemptOf = ({ deliveryId: _, at, ...attempt }: AttemptRow) => ({ ...attempt, at: new Date(at) });
    return deliveries.map(({ id }) => (byDelivery.get(id) ?? []).map(attemptOf));
  }
}

/** All owners of one level with the same arguments are read in one statement. */
function pageOf(
  operation: OperationContext,
  owner: string,
  question: DeliveryQuestion,
): Promise<Page<WebhookDelivery>> {
  const { em } = operation.current;
  return loadAlike(operation, PAGES, owner, question, (owners) => readDeliveryPages(em, owners, question));
}

interface AttemptRow extends WebhookAttempt {
  deliveryId: string;
}
