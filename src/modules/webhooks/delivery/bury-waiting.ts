import type { Context } from '../../../kernel/context.js';

/** Moves everything that waits for a subscription to the dead letters, from where it can be replayed. */
export async function buryWaiting(ctx: Context, subscriptionId: string): Promise<void> {
  await ctx.em.execute(
    `with waiting as (delete from webhook_queue where subscription_id = ? returning *)
     insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
     select w.id, s.project_id, w.subscription_id, w.event_id, w.kind, w.attempts, 'subscription_off', w.created_at, ?
       from waiting w join webhook_subscription s on s.id = w.subscription_id
     on conflict do nothing`,
    [subscriptionId, ctx.now()],
  );
}
