import type { World } from './factories.js';

export interface TestSubscription {
  id: string;
  secret: string;
}

/** Creates a subscription in the world's project, as its owner. */
export async function buildSubscription(
  world: World,
  url: string,
  patterns: string[] = ['changelog.*'],
): Promise<TestSubscription> {
  const { createWebhookSubscription } = await world.owner.client.graphql<{
    createWebhookSubscription: { secret: string; subscription: { id: string } };
  }>(
    `mutation($input: CreateWebhookSubscriptionInput!) {
       createWebhookSubscription(input: $input) { secret subscription { id } }
     }`,
    { input: { projectId: world.projectId, url, patterns } },
  );
  const { secret, subscription } = createWebhookSubscription;
  return { id: subscription.id, secret };
}

/**
 * Drafts changelog entries as the world's owner: each emits one `changelog.entry.created`. Returns their ids, in order.
 */
export async function draftEntries(world: World, count: number, title = 'Entry'): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const { createChangelogEntry } = await world.owner.client.graphql<{ createChangelogEntry: { id: string } }>(
      'mutation($input: CreateChangelogEntryInput!) { createChangelogEntry(input: $input) { id } }',
      { input: { projectId: world.projectId, title: `${title} ${made}` } },
    );
    ids.push(createChangelogEntry.id);
  }
  return ids;
}
