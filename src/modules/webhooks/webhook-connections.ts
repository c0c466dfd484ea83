import { connectionOf } from '../../kernel/paging.js';
import { DeadLetter } from './subscriptions/dead-letter.entity.js';
import { WebhookSubscription } from './subscriptions/webhook-subscription.entity.js';
import { WebhookDelivery } from './webhooks.results.js';

export const SubscriptionConnection = connectionOf(WebhookSubscription, 'WebhookSubscription');
export const DeliveryConnection = connectionOf(WebhookDelivery, 'WebhookDelivery');
export const DeadLetterConnection = connectionOf(DeadLetter, 'DeadLetter');
