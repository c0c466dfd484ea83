import type { EventLog } from '../../../events/event-log.js';
import type { RowTail } from '../../../events/row-tail.js';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { Action } from '../../access/actions.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { authorizeRow } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import { DeadLetter } from '../subscriptions/dead-letter.entity.js';
import { WebhookSubscription } from '../subscriptions/webhook-subscription.entity.js';
import { DEAD_LETTERS, DEAD_LETTERS_OF_SUBSCRIPTION, type DeadLetterListArgs } from '../webhook-lists.js';
import { webhookFailure } from '../webhooks.errors.js';
import type { WebhookDelivery } from '../webhooks.results.js';
import { tellDeliveries } from './live-deliveries.js';

/** Days that a dead letter can be replayed (docs/events.md). */
const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface DeadLetterFilter {
  projectId: string;
  subscriptionId?: string | null;
  kind?: string | null;
  since?: Date | null;
}

/** Abandoned deliveries and their replay: delivery id and webhook-id stay, the schedule starts again. */
export class DeadLetterService {
  constructor(
    private readonly events: EventLog,
    private readonly tail: RowTail,
  ) {}

  /** Those of a project, newest first. */
  list(operation: OperationContext, projectId: string, args: DeadLetterListArgs): Promise<Page<DeadLetter>> {
    const owner = { id: projectId, projectId };
    return listOfOwner(operation, 'webhook.view', DEAD_LETTERS, owner, args, plainConditions(args));
  }

  /** Those of a subscription, newest first. */
  ofSubscription(
    operation: OperationContext,
    { id, projectId }: WebhookSubscription,
    args: DeadLetterListArgs,
  ): Promise<Page<DeadLetter>> {
    const owner = { id, projectId };
    return listOfOwner(operation, 'webhook.view', DEAD_LETTERS_OF_SUBSCRIPTION, owner, args, plainConditions(args));
  }

  /** Fails with `dead_letter_not_found`. */
  async get(ctx: Context, id: unknown): Promise<DeadLetter> {
    return (await this.visible(ctx, 'webhook.view', id)).letter;
  }

  /** Queues one again. Fails with `dead_letter_not_found`, `subscription_off`. */
  async replay(ctx: Context, id: unknown): Promise<WebhookDelivery> {
    const { letter, project } = await this.visible(ctx, 'webhook.manage', id);
    const subscription = await ctx.em.findOneOrFail(WebhookSubscription, { id: letter.subscriptionId });
    if (!subscription.isEnabled) throw webhookFailure('subscription_off');
    if ((await this.requeue(ctx, { projectId: project.id }, letter.id)) === 0)
      throw webhookFailure('dead_letter_not_found');
    this.emit(ctx, project, { type: 'webhook_delivery', id: letter.id }, 1);
    return {
      id: letter.id,
      projectId: project.id,
      subscriptionId: letter.subscriptionId,
      eventId: letter.eventId,
      kind: letter.kind,
      status: 'pending',
      attempts: letter.attempts,
      nextAttemptAt: ctx.now(),
      createdAt: letter.createdAt,
      endedAt: null,
    };
  }

  /** Queues all again that fit the filter; those of subscriptions that are off stay. */
  async replayAll(ctx: Context, filter: DeadLetterFilter): Promise<{ count: number }> {
    const project = await authorize(ctx, 'webhook.manage', filter.projectId);
    const count = await this.requeue(ctx, { ...filter, projectId: project.id }, null);
    if (count > 0) this.emit(ctx, project, { type: 'project', id: project.id }, count);
    return { count };
  }

  /** Deletes those past their 30 days. */
  async deleteExpired(ctx: Context): Promise<void> {
    await ctx.em.nativeDelete(DeadLetter, { diedAt: { $lt: new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS) } });
  }

  private async visible(ctx: Context, action: Action, id: unknown): Promise<{ letter: DeadLetter; project: Project }> {
    const found = isUuid(id) ? await ctx.em.findOne(DeadLetter, { id }) : null;
    const invisible = () => webhookFailure('dead_letter_not_found');
    const { row: letter, project } = await authorizeRow(ctx, action, found, invisible);
    return { letter, project };
  }

  private async requeue(ctx: Context, filter: DeadLetterFilter, id: string | null): Promise<number> {
    const { projectId, subscriptionId, kind, since } = filter;
    const conditions: [string, unknown][] = [
      ['d.project_id = ?', projectId],
      ['d.id = ?', id],
      ['d.subscription_id = ?', subscriptionId],
      ['d.kind = ?', kind],
      ['d.died_at >= ?', since],
    ];
    const given = conditions.filter(([, value]) => value !== null && value !== undefined);
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
      tellDeliveries(
        this.tail,
        rows.map((row) => ({ ...row, projectId })),
      ),
    );
    return rows.length;
  }

  private emit(ctx: Context, project: Project, object: { type: string; id: string }, count: number): void {
    this.events.emit(ctx, 'webhooks.dead_letter.replayed', {
      organizationId: project.organizationId,
      projectId: project.id,
      object,
      data: { count },
    });
  }
}

/** Which dead letters a list is asked for besides its filter. */
const plainConditions = ({ subscriptionId, kind, since }: DeadLetterListArgs) => ({
  ...(typeof subscriptionId === 'string' ? { subscriptionId } : {}),
  ...(kind ? { kind } : {}),
  ...(since ? { diedAt: { $gte: since } } : {}),
});
