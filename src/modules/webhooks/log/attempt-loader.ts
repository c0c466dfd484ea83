import type DataLoader from 'dataloader';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import type { WebhookAttempt } from '../webhooks.results.js';
import type { DeliveryKey, DeliveryLogService } from './delivery-log.service.js';

const ATTEMPTS = Symbol('attempts of webhook deliveries');

export function attemptLoader(
  operation: OperationContext,
  log: DeliveryLogService,
): DataLoader<DeliveryKey, WebhookAttempt[], string> {
  return loader(
    operation,
    ATTEMPTS,
    (keys) => log.attempts(operation.current, keys),
    ({ id }) => id,
  );
}
