import { randomUUID } from 'node:crypto';
import type { FirstRun, ServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import type { WriteTarget } from './write-kinds.js';

/** Each key may make 500 requests a minute. */
const KEYS = 24;

/** Creates a project without an event quota and with many live keys through GraphQL. */
export async function tortureKeys(server: ServerProcess): Promise<{ firstRun: FirstRun; keys: string[] }> {
  const firstRun = await server.firstRun();
  const owner = new Client(server.url).withToken(firstRun.tokens.owner);
  await owner.graphql('mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) { plan } }', {
    input: { projectId: firstRun.project_id, plan: 'enterprise' },
  });
  const aliases = Array.from({ length: KEYS }, (_, n) => n);
  const made = await owner.graphql<Record<string, { secret: string }>>(
    `mutation(${aliases.map((n) => `$i${n}: CreateApiKeyInput!`)}) {
      ${aliases.map((n) => `k${n}: createApiKey(input: $i${n}) { secret }`).join(' ')}
    }`,
    Object.fromEntries(
      aliases.map((n) => [`i${n}`, { projectId: firstRun.project_id, environment: 'live', name: `torture ${n}` }]),
    ),
  );
  return { firstRun, keys: Object.values(made).map(({ secret }) => secret) };
}

/** The demo project of a server or its installation, with everything that writers need; `url` is where they write. */
export async function writeTarget(server: ServerProcess, url = server.url): Promise<WriteTarget> {
  const { firstRun, keys } = await tortureKeys(server);
  const owner = new Client(server.url).withToken(firstRun.tokens.owner);
  const { createSurvey } = await owner.graphql<{ createSurvey: { id: string } }>(
    'mutation($input: CreateSurveyInput!) { createSurvey(input: $input) { id } }',
    {
      input: {
        projectId: firstRun.project_id,
        name: `Torture ${randomUUID().slice(0, 8)}`,
        questions: [{ id: 'nps', kind: 'nps', prompt: 'How likely?' }],
      },
    },
  );
  await owner.graphql('mutation($input: IdInput!) { publishSurvey(input: $input) { status } }', {
    input: { id: createSurvey.id },
  });
  return { url, projectId: firstRun.project_id, surveyId: createSurvey.id, token: firstRun.tokens.owner, keys };
}
