import { Client } from '../../support/client.js';
import type { WriteTarget } from '../write-kinds.js';

/** Subscribes a receiver to patterns in the target's project. Returns the signing secret. */
export async function subscribeTo(
  { url, token, projectId }: Pick<WriteTarget, 'url' | 'token' | 'projectId'>,
  receiver: string,
  patterns: readonly string[],
): Promise<string> {
  const { createWebhookSubscription } = await new Client(url).withToken(token).graphql<{
    createWebhookSubscription: { secret: string };
  }>('mutation($input: CreateWebhookSubscriptionInput!) { createWebhookSubscription(input: $input) { secret } }', {
    input: { projectId, url: receiver, patterns },
  });
  return createWebhookSubscription.secret;
}
