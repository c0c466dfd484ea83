import { eachApart } from '../kernel/database/each-apart.js';
import { AddressGuard } from '../kernel/outbound/target-address.js';
import { type NameResolver, systemResolver } from '../kernel/outbound/target-resolution.js';
import { measureDeliveries } from '../modules/webhooks/delivery/delivery-metrics.js';
import { DeliveryQueue } from '../modules/webhooks/delivery/delivery-queue.js';
import { DeliveryRecords } from '../modules/webhooks/delivery/delivery-records.js';
import { DeliverySender } from '../modules/webhooks/delivery/delivery-sender.js';
import { DeliveryTransport, TRANSPORT_DEFAULTS } from '../modules/webhooks/delivery/delivery-transport.js';
import { DeliveryWorker } from '../modules/webhooks/delivery/delivery-worker.js';
import { EndpointSwitch } from '../modules/webhooks/delivery/endpoint-switch.js';
import { WebhookFanOut } from '../modules/webhooks/delivery/fan-out.js';
import { WorkerPresence } from '../modules/webhooks/delivery/worker-presence.js';
import { keepAttemptPartitions } from '../modules/webhooks/log/attempt-partitions.js';
import { DeadLetterService } from '../modules/webhooks/log/dead-letter.service.js';
import { DeliveryChangesResolver } from '../modules/webhooks/log/delivery-changes.resolver.js';
import { DeliveryLogService } from '../modules/webhooks/log/delivery-log.service.js';
import { DeliveryReplayService } from '../modules/webhooks/log/delivery-replay.service.js';
import { SecretSeal } from '../modules/webhooks/subscriptions/secret-seal.js';
import { WebhookSubscriptionService } from '../modules/webhooks/subscriptions/webhook-subscription.service.js';
import {
  DeadLetterFields,
  ProjectWebhooksResolver,
  WebhookDeliveryFields,
  WebhookSubscriptionFields,
} from '../modules/webhooks/webhook-fields.resolver.js';
import { WebhooksResolver } from '../modules/webhooks/webhooks.resolver.js';
import { asSystem, type Composed, type Parts } from './parts.js';

/** Overrides for tests of deliveries: jitter, DNS resolution, and the time limit of one attempt in milliseconds. */
export interface DeliveryOptions {
  random?: () => number;
  resolve?: NameResolver;
  timeoutMs?: number;
}

export function composeWebhooks({
  env,
  jwtSecret,
  databaseUrl,
  pool,
  shared,
  tx,
  clock,
  logger,
  events,
  tails,
  metrics,
  tracer,
}: Parts) {
  const guard = new AddressGuard(env.webhookAllowedNetworks);
  const seal = new SecretSeal(jwtSecret, env.jwtPreviousSecrets);
  const queue = new DeliveryQueue(pool);
  const count = measureDeliveries(metrics, pool);
  const services = {
    webhookSubscriptions: new WebhookSubscriptionService(events, guard, seal, tails.deliveries),
    deliveryLog: new DeliveryLogService(),
    deadLetters: new DeadLetterService(),
    deliveryReplays: new DeliveryReplayService(events, tails.deliveries),
  };
  const createDeliveryWorker = ({
    random = Math.random,
    resolve = systemResolver(),
    timeoutMs = TRANSPORT_DEFAULTS.timeoutMs,
  }: DeliveryOptions = {}) =>
    new DeliveryWorker({
      queue,
      records: new DeliveryRecords(pool, tails.deliveries),
      sender: new DeliverySender(
        queue,
        new DeliveryTransport(guard, resolve, { ...TRANSPORT_DEFAULTS, timeoutMs }),
        seal,
        tracer,
      ),
      presence: new WorkerPresence(databaseUrl, () =>
        logger.warn({}, 'the delivery worker lost its database connection'),
      ),
      watch: new EndpointSwitch(tx, services.webhookSubscriptions),
      count,
      broadcast: shared.broadcast,
      clock,
      logger,
      random,
    });
  const deliveries = createDeliveryWorker();
  return {
    services: { ...services, createDeliveryWorker },
    resolvers: [
      new WebhooksResolver(
        services.webhookSubscriptions,
        services.deliveryLog,
        services.deadLetters,
        services.deliveryReplays,
      ),
      new ProjectWebhooksResolver(services.webhookSubscriptions, services.deliveryLog, services.deadLetters),
      new DeliveryChangesResolver(),
      new WebhookSubscriptionFields(services.deliveryLog, services.deadLetters),
      new WebhookDeliveryFields(services.deliveryLog),
      new DeadLetterFields(services.deliveryLog),
    ],
    reactions: [new WebhookFanOut(tails.deliveries, () => deliveries.wake())],
    jobHandlers: {
      'webhooks.clean_up': (_none, signal) => {
        const deadLetters = () => asSystem(tx, 'clean-up', (ctx) => services.deadLetters.deleteExpired(ctx));
        return eachApart([deadLetters, () => keepAttemptPartitions(tx)], (step) => step(), signal);
      },
    },
    worker: deliveries,
  } satisfies Composed<object>;
}
