import type { EventLog } from '../../../events/event-log.js';
import type { RowTail } from '../../../events/row-tail.js';
import type { Context } from '../../../kernel/context.js';
import type { DomainError } from '../../../kernel/errors.js';
import { type BulkAnswer, inBulk } from '../../../kernel/refusal.js';
import { authorize, userOf } from '../../access/guard.js';
import type { Project } from '../../access/projects/project.entity.js';
import { SUBSCRIPTION_ROWS } from '../subscriptions/subscription-rows.js';
import { WebhookSubscription } from '../subscriptions/webhook-subscription.entity.js';
import { webhookFailure } from '../webhooks.errors.js';
import type { ReplayDeadLettersInput } from '../webhooks.inputs.js';
import type { ReplayedDeadLetters, WebhookDelivery } from '../webhooks.results.js';
import { findDeliveries } from './delivery-pages.js';
import { announceDeliveries } from './live-deliveries.js';

/** A delivered one is no longer closed: its last attempt is one before the next, and the schedule starts over. */
const QUEUE_AGAIN = `
with again as (
  update webhook_attempt set outcome = 'retry' where subscription_id = ? and delivery_id = ? and outcome = 'delivered' returning *
)
insert into webhook_queue (id, subscription_id, event_id, kind, attempts, earlier_attempts, due_at, created_at)
select distinct on (delivery_id) delivery_id, subscription_id, event_id, kind, number, number, ?, ?
  from again order by delivery_id, number desc
on conflict do nothing`;

/** A delivery with an attempt in progress is left alone. */
const SEND_NOW = 'update webhook_queue set due_at = ? where id = ? and due_at > ? and leased_until <= now()';

/** Sends deliveries again, whatever became of them: delivery id and webhook-id stay the same, the schedule starts over. */
export class DeliveryReplayService {
  constructor(
    private readonly events: EventLog,
    private readonly tail: RowTail,
  ) {}

  /**
   * Requeues abandoned or delivered ones; those waiting for their next attempt are tried at once. Each is rejected individually, with
   * `delivery_not_found`, `subscription_off`.
   */
  async replay(ctx: Context, ids: readonly string[]): Promise<BulkAnswer<WebhookDelivery>[]> {
    const { organizationId } = userOf(ctx);
    const found = await findDeliveries(ctx.em, organizationId, ids);
    const subscriptionIds = [...found.values()].map(({ subscriptionId }) => subscriptionId);
    await ctx.em.find(WebhookSubscription, { id: { $in: [...new Set(subscriptionIds)] } });
    const missing = () => webhookFailure('delivery_not_found');
    const answers = await inBulk(ids, (id) => this.sendAgain(ctx, found.get(id.toLowerCase()), missing));
    const now = await findDeliveries(ctx.em, organizationId, [...found.keys()]);
    return answers.map((answer) => ({ ...answer, object: answer.object && (now.get(answer.object.id) ?? null) }));
  }

  /** Requeues an abandoned delivery. Fails with `dead_letter_not_found`, `subscription_off`. */
  async replayDeadLetter(ctx: Context, id: string): Promise<WebhookDelivery> {
    const { organizationId } = userOf(ctx);
    const missing = () => webhookFailure('dead_letter_not_found');
    const read = async () => (await findDeliveries(ctx.em, organizationId, [id])).get(id.toLowerCase());
    const delivery = await read();
    const sent = await this.sendAgain(ctx, delivery?.status === 'dead' ? delivery : undefined, missing);
    return (await read()) ?? sent;
  }

  /**
   * Requeues all abandoned deliveries that match the filter; those of disabled subscriptions stay. Fails with `subscription_not_found` also for
   * a subscription of another project.
   */
  async replayDeadLetters(ctx: Context, filter: ReplayDeadLettersInput): Promise<ReplayedDeadLetters> {
    const project = await authorize(ctx, 'webhook.manage', filter.projectId);
    if (filter.subscriptionId != null) {
      const subscription = await SUBSCRIPTION_ROWS.get(ctx, 'webhook.manage', filter.subscriptionId);
      if (subscription.projectId !== project.id) throw webhookFailure('subscription_not_found');
    }
    const wanted = { ...filter, projectId: project.id };
    const ids = await this.requeue(ctx, wanted, null);
    if (ids.length > 0) this.emitReplayed(ctx, project, { type: 'project', id: project.id }, ids.length);
    return { count: ids.length, kept: await this.countDisabled(ctx, wanted) };
  }

  private async sendAgain(
    ctx: Context,
    delivery: WebhookDelivery | undefined,
    missing: () => DomainError,
  ): Promise<WebhookDelivery> {
    if (!delivery) throw missing();
    const { id, kind, status, createdAt } = delivery;
    const project = await authorize(ctx, 'webhook.manage', delivery.projectId, missing);
    const subscription = await ctx.em.findOneOrFail(WebhookSubscription, { id: delivery.subscriptionId });
    if (!subscription.isEnabled) throw webhookFailure('subscription_off');
    const object = { type: 'webhook_delivery', id };
    if (status === 'dead') {
      // Someone else may have been quicker.
      if ((await this.requeue(ctx, { projectId: project.id }, id)).length === 0) throw missing();
      this.emitReplayed(ctx, project, object, 1);
      return delivery;
    }
    const now = ctx.now();
    if (status === 'pending') await ctx.em.execute(SEND_NOW, [now, id, now]);
    else await ctx.em.execute(QUEUE_AGAIN, [subscription.id, id, now, createdAt]);
    this.events.emit(ctx, 'webhooks.delivery.replayed', {
      project,
      object,
      data: { subscription_id: subscription.id, kind },
    });
    ctx.afterCommit(() => announceDeliveries(this.tail, [delivery]));
    return delivery;
  }

  private async requeue(ctx: Context, filter: ReplayDeadLettersInput, id: string | null): Promise<string[]> {
    const { projectId } = filter;
    const given = conditionsOf(filter, id);
    const rows = await ctx.em.execute<{ id: string }[]>(
      `with replayed as (
         delete from webhook_dead_letter d using webhook_subscription s
          where s.id = d.subscription_id and s.is_enabled and ${given.map(([sql]) => sql).join(' and ')} returning d.*
       )
       insert into webhook_queue (id, subscription_id, event_id, kind, attempts, earlier_attempts, due_at, created_at)
       select id, subscription_id, event_id, kind, attempts, attempts, ?, created_at from replayed
       on conflict do nothing returning id`,
      [...given.map(([, value]) => value), ctx.now()],
    );
    ctx.afterCommit(() =>
      announceDeliveries(
        this.tail,
        rows.map((row) => ({ ...row, projectId })),
      ),
    );
    return rows.map((row) => row.id);
  }

  private async countDisabled(ctx: Context, filter: ReplayDeadLettersInput): Promise<number> {
    const given = conditionsOf(filter, null);
    const [row] = await ctx.em.execute<{ count: number }[]>(
      `select count(*)::int as count from webhook_dead_letter d join webhook_subscription s on s.id = d.subscription_id
        where not s.is_enabled and ${given.map(([sql]) => sql).join(' and ')}`,
      given.map(([, value]) => value),
    );
    return row?.count ?? 0;
  }

  private emitReplayed(ctx: Context, project: Project, object: { type: string; id: string }, count: number): void {
    this.events.emit(ctx, 'webhooks.dead_letter.replayed', {
      project,
      object,
      data: { count },
    });
  }
}

/** SQL conditions on dead letters `d`, each with its value. */
function conditionsOf(
  { projectId, subscriptionId, kind, since }: ReplayDeadLettersInput,
  id: string | null,
): [sql: string, value: unknown][] {
  const conditions: [string, unknown][] = [
    ['d.project_id = ?', projectId],
    ['d.id = ?', id],
    ['d.subscription_id = ?', subscriptionId],
    ['d.kind = ?', kind],
    ['d.died_at >= ?', since],
  ];
  return conditions.filter(([, value]) => value !== null && value !== undefined);
}
