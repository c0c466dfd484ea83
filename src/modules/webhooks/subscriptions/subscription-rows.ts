import { ProjectRows } from '../../access/project-rows.js';
import { webhookFailure } from '../webhooks.errors.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

export const SUBSCRIPTION_ROWS = new ProjectRows(WebhookSubscription, 'whk', () =>
  webhookFailure('subscription_not_found'),
);
