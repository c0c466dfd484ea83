import { LockMode } from '@mikro-orm/postgresql';
import { EVENT_KINDS } from '../../../events/catalog.js';
import type { EventLog } from '../../../events/event-log.js';
import { REPORTED_IDS, type RowTail } from '../../../events/row-tail.js';
import type { Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { AddressGuard } from '../../../kernel/outbound/target-address.js';
import { isRefusal, readTarget } from '../../../kernel/outbound/target-url.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import type { Project } from '../../access/projects/project.entity.js';
import { MAX_WEBHOOK_SUBSCRIPTIONS } from '../../quotas/limits.js';
import { WEBHOOK_SUBSCRIPTIONS } from '../webhook-lists.js';
import { webhookFailure } from '../webhooks.errors.js';
import type { CreateWebhookSubscriptionInput, UpdateWebhookSubscriptionInput } from '../webhooks.inputs.js';
import type { SubscriptionWithSecret, WebhookTest } from '../webhooks.results.js';
import { DeadLetter } from './dead-letter.entity.js';
import { unknownPatterns } from './event-pattern.js';
import type { SecretSeal } from './secret-seal.js';
import { newSigningSecret, ROTATION_OVERLAP_MS } from './signing-secret.js';
import { SUBSCRIPTION_ROWS } from './subscription-rows.js';
import { type DisabledReason, WebhookSubscription } from './webhook-subscription.entity.js';

const KINDS = Object.keys(EVENT_KINDS);

/** Webhook subscriptions (docs/events.md). Only admins see or change them. */
export class WebhookSubscriptionService {
  constructor(
    private readonly events: EventLog,
    private readonly guard: AddressGuard,
    private readonly seal: SecretSeal,
    private readonly tail: RowTail,
  ) {}

  list(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<WebhookSubscription>> {
    return listOfOwner(operation, 'webhook.view', WEBHOOK_SUBSCRIPTIONS, projectId, args);
  }

  /** Fails with `subscription_not_found`. */
  get(ctx: Context, id: unknown): Promise<WebhookSubscription> {
    return SUBSCRIPTION_ROWS.get(ctx, 'webhook.view', id);
  }

  /** A new subscription and its signing secret. Fails with `bad_target`, `no_patterns`, `unknown_patterns`, `too_many_subscriptions`. */
  async create(ctx: Context, input: CreateWebhookSubscriptionInput): Promise<SubscriptionWithSecret> {
    const project = await authorize(ctx, 'webhook.manage', input.projectId);
    const url = this.target(input.url);
    const patterns = checkedPatterns(input.patterns);
    await refuseTooMany(ctx, project);
    const id = newPrefixedId('whk');
    const secret = newSigningSecret();
    const subscription = ctx.em.create(WebhookSubscription, {
      id,
      organizationId: project.organizationId,
      projectId: project.id,
      url,
      patterns,
      description: storableText(input.description ?? ''),
      sealedSecret: this.seal.seal(secret, id),
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    });
    const about = aboutSubscription(subscription);
    this.events.emitChange(ctx, 'webhooks.subscription.created', about, null, settingsOf(subscription));
    return { subscription, secret };
  }

  /**
   * Changes the given fields. Disabling moves waiting deliveries to the dead letters. Fails like {@link create}, and with
   * `subscription_version_conflict`.
   */
  async update(ctx: Context, input: UpdateWebhookSubscriptionInput): Promise<WebhookSubscription> {
    const { row: subscription } = await SUBSCRIPTION_ROWS.locked(ctx, 'webhook.manage', input.id);
    const { expectedUpdatedAt } = input;
    if (expectedUpdatedAt && expectedUpdatedAt.getTime() !== subscription.updatedAt.getTime())
      throw webhookFailure('subscription_version_conflict', { updatedAt: subscription.updatedAt.toISOString() });
    const before = settingsOf(subscription);
    if (typeof input.url === 'string') subscription.url = this.target(input.url);
    if (input.patterns) subscription.patterns = checkedPatterns(input.patterns);
    if (typeof input.description === 'string') subscription.description = storableText(input.description);
    if (input.enabled === true) {
      subscription.isEnabled = true;
      subscription.disabledReason = null;
      subscription.failingSince = null;
    }
    if (input.enabled === false && subscription.isEnabled) await switchOff(ctx, subscription, 'by_admin', this.tail);
    subscription.updatedAt = ctx.nowAfter(subscription.updatedAt);
    const about = aboutSubscription(subscription);
    this.events.emitChange(ctx, 'webhooks.subscription.changed', about, before, settingsOf(subscription));
    return subscription;
  }

  /** A new secret; the old one also signs for 24 hours, the one before it no longer. */
  async rotateSecret(ctx: Context, id: string): Promise<SubscriptionWithSecret> {
    const { row: subscription } = await SUBSCRIPTION_ROWS.locked(ctx, 'webhook.manage', id);
    const secret = newSigningSecret();
    const before = { previousSecretUntil: subscription.previousSecretUntil };
    subscription.sealedPreviousSecret = subscription.sealedSecret;
    subscription.previousSecretUntil = new Date(ctx.now().getTime() + ROTATION_OVERLAP_MS);
    subscription.sealedSecret = this.seal.seal(secret, subscription.id);
    subscription.updatedAt = ctx.nowAfter(subscription.updatedAt);
    this.events.emit(ctx, 'webhooks.secret.rotated', {
      ...placeOf(subscription),
      data: { subscription_id: subscription.id },
      before,
      after: { previousSecretUntil: subscription.previousSecretUntil },
    });
    return { subscription, secret };
  }

  /** Deletes it with its waiting deliveries and dead letters. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { row: subscription } = await SUBSCRIPTION_ROWS.locked(ctx, 'webhook.manage', id);
    const about = aboutSubscription(subscription);
    this.events.emitChange(ctx, 'webhooks.subscription.deleted', about, settingsOf(subscription), null);
    await ctx.em.nativeDelete(DeadLetter, { subscriptionId: subscription.id });
    ctx.em.remove(subscription);
    return { id: subscription.id };
  }

  /** Queues a delivery of `webhooks.subscription.tested` to this subscription only. Fails with `subscription_off`. */
  async test(ctx: Context, id: string): Promise<WebhookTest> {
    const { row: subscription } = await SUBSCRIPTION_ROWS.locked(ctx, 'webhook.manage', id);
    if (!subscription.isEnabled) throw webhookFailure('subscription_off');
    const event = this.events.emit(ctx, 'webhooks.subscription.tested', {
      ...placeOf(subscription),
      data: { subscription_id: subscription.id },
    });
    return { subscription, eventId: event.id };
  }

  /** Disables a subscription whose target is gone or has failed for days; does nothing if it is already disabled or deleted. */
  async disable(ctx: Context, id: string, reason: 'gone' | 'failing'): Promise<void> {
    if (ctx.actor.kind !== 'system') throw commonFailure('unauthenticated');
    const subscription = await ctx.em.findOne(WebhookSubscription, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!subscription?.isEnabled) return;
    const before = settingsOf(subscription);
    await switchOff(ctx, subscription, reason, this.tail);
    subscription.updatedAt = ctx.nowAfter(subscription.updatedAt);
    this.events.emit(ctx, 'webhooks.subscription.disabled', {
      ...placeOf(subscription),
      data: { subscription_id: subscription.id, url: shownUrl(subscription.url), reason },
      before,
      after: settingsOf(subscription),
    });
  }

  private target(url: string): string {
    const target = readTarget(url, this.guard);
    if (isRefusal(target)) throw webhookFailure('bad_target', target);
    return target.href;
  }
}

async function switchOff(
  ctx: Context,
  subscription: WebhookSubscription,
  reason: DisabledReason,
  tail: RowTail,
): Promise<void> {
  subscription.isEnabled = false;
  subscription.disabledReason = reason;
  await buryWaiting(ctx, subscription, tail);
}

/** Two concurrent creations must not both take the last slot: they queue up on the project's row. */
async function refuseTooMany(ctx: Context, project: Project): Promise<void> {
  await ctx.em.execute('select from project where id = ? for update', [project.id]);
  const count = await ctx.em.count(WebhookSubscription, { projectId: project.id });
  if (count >= MAX_WEBHOOK_SUBSCRIPTIONS)
    throw webhookFailure('too_many_subscriptions', { limit: MAX_WEBHOOK_SUBSCRIPTIONS });
}

function checkedPatterns(patterns: readonly string[]): string[] {
  if (patterns.length === 0) throw webhookFailure('no_patterns');
  const unknown = unknownPatterns(patterns, KINDS);
  if (unknown.length > 0) throw webhookFailure('unknown_patterns', { patterns: unknown.map(storableText) });
  return [...new Set(patterns)];
}

/** The part of a target that other subscribers and the audit log may see: paths and queries of webhook URLs are often secret. */
const shownUrl = (url: string): string => new URL(url).origin;

const placeOf = ({ organizationId, projectId, id }: WebhookSubscription) => ({
  organizationId,
  projectId,
  object: { type: 'webhook_subscription', id },
});

const aboutSubscription = (subscription: WebhookSubscription) => ({
  ...placeOf(subscription),
  data: { subscription_id: subscription.id, url: shownUrl(subscription.url), patterns: subscription.patterns },
});

const settingsOf = (subscription: WebhookSubscription) => ({
  url: shownUrl(subscription.url),
  patterns: subscription.patterns,
  description: subscription.description,
  isEnabled: subscription.isEnabled,
  disabledReason: subscription.disabledReason,
});

/** Moves everything that waits for a subscription to the dead letters, where it can be replayed. */
async function buryWaiting(
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
