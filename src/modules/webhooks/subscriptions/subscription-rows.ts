import { ProjectRows } from '../../access/project-rows.js';
import { webhookFailure } from '../webhooks.errors.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** Subscriptions as callers name them. */
export const SUBSCRIPTION_ROWS = new ProjectRows(WebhookSubscription, 'whk', () =>
  webhookFailure('subscription_not_found'),
);
