import type { Context } from '../../../kernel/context.js';
import { readAlike } from '../../../kernel/lists/asked-alike.js';
import type { Page } from '../../../kernel/paging.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { authorize, userOf } from '../../access/guard.js';
import type { WebhookSubscription } from '../subscriptions/webhook-subscription.entity.js';
import type { WebhookDeliveryListArgs } from '../webhook-lists.js';
import { webhookFailure } from '../webhooks.errors.js';
import type { WebhookAttempt, WebhookDelivery } from '../webhooks.results.js';
import { findDeliveries, readDeliveryPages } from './delivery-pages.js';
import { type DeliveryQuestion, deliveryQuestion } from './delivery-question.js';

/** Identifies one delivery in the attempt log. */
export interface DeliveryKey {
  subscriptionId: string;
  id: string;
}

const PAGES = Symbol('pages of webhook deliveries');

interface Asked {
  owner: string;
  question: DeliveryQuestion;
}

/** Delivered, waiting and dead deliveries, with every attempt. */
export class DeliveryLogService {
  /** Deliveries of a project, newest first. */
  async list(
    operation: OperationContext,
    projectId: string,
    args: WebhookDeliveryListArgs,
    subscriptionId?: string | null,
  ): Promise<Page<WebhookDelivery>> {
    const project = await authorize(operation.current, 'webhook.view', projectId);
    return pagesLoader(operation).load({
      owner: project.id,
      question: deliveryQuestion('project', args, subscriptionId),
    });
  }

  /** Deliveries to a subscription, newest first. */
  async ofSubscription(
    operation: OperationContext,
    { id, projectId }: WebhookSubscription,
    args: WebhookDeliveryListArgs,
  ): Promise<Page<WebhookDelivery>> {
    await authorize(operation.current, 'webhook.view', projectId);
    return pagesLoader(operation).load({ owner: id, question: deliveryQuestion('subscription', args) });
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
      `select a.delivery_id, a.number, a.at, a.status, a.failure, a.latency_ms, a.answer
         from unnest(array[?]::text[], array[?]::uuid[]) as d(subscription_id, id)
         join webhook_attempt a on a.subscription_id = d.subscription_id and a.delivery_id = d.id
        order by a.number, a.at`,
      [deliveries.map(({ subscriptionId }) => subscriptionId), deliveries.map(({ id }) => id)],
    );
    const byDelivery = Map.groupBy(rows, (row) => row.delivery_id);
    return deliveries.map(({ id }) => (byDelivery.get(id) ?? []).map(presentAttempt));
  }
}

/** All owners of one level with the same arguments are read in one statement. */
function pagesLoader(operation: OperationContext) {
  return loader(operation, PAGES, (all: readonly Asked[]) => readAll(operation.current, all), keyOf);
}

function readAll({ em }: Context, all: readonly Asked[]): Promise<(Page<WebhookDelivery> | Error)[]> {
  return readAlike(
    all,
    ({ question }) => JSON.stringify(question),
    (group) =>
      readDeliveryPages(
        em,
        group.map(({ owner }) => owner),
        group[0].question,
      ),
  );
}

const keyOf = ({ owner, question }: Asked): string => `${owner} ${JSON.stringify(question)}`;

interface AttemptRow {
  delivery_id: string;
  number: number;
  at: Date;
  status: number | null;
  failure: string | null;
  latency_ms: number;
  answer: string;
}

const presentAttempt = ({ number, at, status, failure, latency_ms, answer }: AttemptRow): WebhookAttempt => ({
  number,
  at: new Date(at),
  status,
  failure,
  latencyMs: latency_ms,
  answer,
});
