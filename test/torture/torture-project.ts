import type { FirstRun, ServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';

/** Each key may make 500 requests a minute. */
const KEYS = 24;

/** A project without an event quota and with many live keys, made through GraphQL. */
export async function tortureKeys(server: ServerProcess): Promise<{ firstRun: FirstRun; keys: string[] }> {
  const firstRun = await server.firstRun();
  const owner = new Client(server.url).withToken(firstRun.tokens.owner);
  await owner.graphql('mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) { plan } }', {
    input: { projectId: firstRun.project_id, plan: 'enterprise' },
  });
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i++) {
    const { createApiKey } = await owner.graphql<{ createApiKey: { secret: string } }>(
      'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { projectId: firstRun.project_id, environment: 'live', name: `torture ${i}` } },
    );
    keys.push(createApiKey.secret);
  }
  return { firstRun, keys };
}
