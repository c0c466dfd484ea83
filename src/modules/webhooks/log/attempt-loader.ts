import DataLoader from 'dataloader';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { WebhookAttempt } from '../webhooks.results.js';
import type { DeliveryKey, DeliveryLogService } from './delivery-log.service.js';

const ATTEMPTS = Symbol('attempts of webhook deliveries');

/** Loads the attempts of all deliveries of an operation in one statement. */
export function attemptLoader(
  operation: OperationContext,
  log: DeliveryLogService,
): DataLoader<DeliveryKey, WebhookAttempt[], string> {
  const known = operation.loaders.get(ATTEMPTS) as DataLoader<DeliveryKey, WebhookAttempt[], string> | undefined;
  if (known) return known;
  const loader = new DataLoader<DeliveryKey, WebhookAttempt[], string>(
    (keys) => log.attempts(operation.current, keys),
    { cacheKeyFn: ({ id }) => id },
  );
  operation.loaders.set(ATTEMPTS, loader);
  return loader;
}
