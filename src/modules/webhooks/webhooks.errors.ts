import { defineFailures } from '../../kernel/errors.js';

export const webhookFailure = defineFailures(
  {
    subscription_not_found: () =>
      'No webhook subscription with this id is visible to you; list the subscriptions of the project.',
    subscription_version_conflict: ({ updatedAt }: { updatedAt: string }) =>
      `The subscription was changed at ${updatedAt}; read it again before you change it.`,
    delivery_not_found: () =>
      'No webhook delivery with this id is visible to you; list the deliveries of its subscription.',
    dead_letter_not_found: () =>
      'No dead letter with this id is visible to you; it may have been replayed or have expired.',
    bad_target: ({ advice }: { reason: string; advice: string }) => `The URL cannot be a webhook target. ${advice}`,
    no_patterns: () => 'Name at least one pattern of events, for example "config.*".',
    unknown_patterns: ({ patterns }: { patterns: string[] }) =>
      `These patterns take no event: ${patterns.map((pattern) => JSON.stringify(pattern)).join(', ')}. Use *, module.*, module.entity.* or a kind of eventKinds.`,
    too_many_subscriptions: ({ limit }: { limit: number }) =>
      `A project has at most ${limit} webhook subscriptions; delete one first.`,
    subscription_off: () => 'The subscription is switched off; switch it on first.',
  },
  { bad_target: 'url', no_patterns: 'patterns', unknown_patterns: 'patterns' },
);
