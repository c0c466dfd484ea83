import { REPORTED_IDS, type RowTail } from '../../../events/row-tail.js';
import type { Context } from '../../../kernel/context.js';
import type { WebhookSubscription } from './webhook-subscription.entity.js';

/** Moves everything that waits for a subscription to the dead letters, where it can be replayed. */
export async function buryWaiting(
  ctx: Context,
  { id, projectId }: Pick<WebhookSubscription, 'id' | 'projectId'>,
  tail: RowTail,
): Promise<void> {
  const [buried] = await ctx.em.execute<{ ids: string[] | null; count: string }[]>(
    `with waiting as (delete from webhook_queue where subscription_id = ? returning *), buried as (
     insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
     select w.id, s.project_id, w.subscription_id, w.event_id, w.kind, w.attempts, 'subscription_off', w.created_at, ?
       from waiting w join webhook_subscription s on s.id = w.subscription_id
     on conflict do nothing returning id)
     select (array_agg(id))[1:${REPORTED_IDS}] as ids, count(*) from buried`,
    [id, ctx.now()],
  );
  ctx.afterCommit(() => tail.stored(projectId, buried?.ids ?? [], Number(buried?.count ?? 0)));
}
