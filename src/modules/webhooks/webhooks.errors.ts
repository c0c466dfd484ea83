import { defineFailures } from '../../kernel/errors.js';

export const webhookFailure = defineFailures(
  {
    subscription_not_found: () =>
      'No webhook subscription with this id is visible to you. List the subscriptions of the project.',
    subscription_version_conflict: ({ updatedAt }: { updatedAt: string }) =>
      `The subscription was changed at ${updatedAt}. Reload it and repeat your change.`,
    delivery_not_found: () =>
      'No webhook delivery with this id is visible to you. List the deliveries of its subscription.',
    dead_letter_not_found: () =>
      'No dead letter with this id is visible to you. It may have been replayed or have expired.',
    bad_target: ({ advice }: { reason: string; advice: string }) =>
      `This URL cannot be used as a webhook target. ${advice}`,
    no_patterns: () => 'Set at least one event pattern, for example "config.*".',
    unknown_patterns: ({ patterns }: { patterns: string[] }) =>
      `These patterns match no event: ${patterns.map((pattern) => JSON.stringify(pattern)).join(', ')}. Use *, module.*, module.entity.* or a kind from eventKinds.`,
    too_many_subscriptions: ({ limit }: { limit: number }) =>
      `A project can have at most ${limit} webhook subscriptions. Delete one first.`,
    subscription_off: () => 'The subscription is disabled. Enable it first.',
  },
  { bad_target: 'url', no_patterns: 'patterns', unknown_patterns: 'patterns' },
);
