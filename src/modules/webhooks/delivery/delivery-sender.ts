import { isRefusal, readTarget, type Target, type TargetRefusal } from '../../../kernel/outbound/target-url.js';
import { inSpan, type Tracer } from '../../../kernel/tracing/tracer.js';
import type { SecretSeal } from '../subscriptions/secret-seal.js';
import { signingKey } from '../subscriptions/signing-secret.js';
import type { ClaimedDelivery, DeliverySubscription } from './claimed-delivery.js';
import { deliveryBody } from './delivery-body.js';
import type { DeliveryQueue } from './delivery-queue.js';
import type { AttemptResult, DeliveryTransport } from './delivery-transport.js';
import { type SigningKeys, signatureHeaders } from './signature.js';

interface Route {
  subscription: DeliverySubscription;
  target: Target | TargetRefusal;
  /** Null if the secret was sealed under another server secret. */
  keys: SigningKeys | null;
}

/** Signs and sends. Routes (target and opened keys) are reread with every batch of leases, so a rotation takes effect at once. */
export class DeliverySender {
  private routes = new Map<string, Route>();

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly transport: DeliveryTransport,
    private readonly seal: SecretSeal,
    private readonly tracer?: Tracer,
  ) {}

  /** Reads the routes of these subscriptions; a disabled one has none. */
  async prepare(subscriptionIds: ReadonlySet<string>): Promise<void> {
    const found = await this.queue.subscriptions([...subscriptionIds]);
    for (const id of subscriptionIds) {
      const subscription = found.get(id);
      if (subscription === undefined) this.routes.delete(id);
      else this.routes.set(id, this.route(subscription));
    }
  }

  /** Whether the subscription was failing when its route was read. */
  isFailing(subscriptionId: string): boolean {
    return this.routes.get(subscriptionId)?.subscription.failingSince != null;
  }

  /** One attempt at `at` (Unix milliseconds), or null if the subscription is disabled and nothing was sent. */
  async send(delivery: ClaimedDelivery, at: number): Promise<AttemptResult | null> {
    const route = this.routes.get(delivery.subscriptionId);
    if (route === undefined) return null;
    if (isRefusal(route.target)) return refused(route.target.reason);
    if (route.keys === null) return refused('secret:unreadable');
    const body = deliveryBody(delivery);
    const signature = signatureHeaders(delivery.event.id, at, body, route.keys);
    const { target } = route;
    const attributes = { 'quarterdeck.event': delivery.event.id, 'quarterdeck.subscription': delivery.subscriptionId };
    return inSpan(this.tracer, 'client', 'deliver webhook', attributes, (span) =>
      this.transport.attempt(target, { ...signature, ...span?.headers() }, body),
    );
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private route(subscription: DeliverySubscription): Route {
    const known = this.routes.get(subscription.id);
    if (known !== undefined && isSame(known.subscription, subscription)) return { ...known, subscription };
    return { subscription, target: readTarget(subscription.url, this.transport.guard), keys: this.keys(subscription) };
  }

  private keys({
    id,
    sealedSecret,
    sealedPreviousSecret,
    previousSecretUntil,
  }: DeliverySubscription): SigningKeys | null {
    try {
      return {
        current: signingKey(this.seal.open(sealedSecret, id)),
        previous: sealedPreviousSecret === null ? null : signingKey(this.seal.open(sealedPreviousSecret, id)),
        previousUntil: previousSecretUntil?.getTime() ?? 0,
      };
    } catch {
      return null;
    }
  }
}

function isSame(a: DeliverySubscription, b: DeliverySubscription): boolean {
  return (
    a.url === b.url &&
    a.sealedSecret === b.sealedSecret &&
    a.sealedPreviousSecret === b.sealedPreviousSecret &&
    a.previousSecretUntil?.getTime() === b.previousSecretUntil?.getTime()
  );
}

function refused(reason: string): AttemptResult {
  return { status: null, failure: reason.replace(/^address_/, 'address:'), latencyMs: 0, answer: '', retryAfter: null };
}
