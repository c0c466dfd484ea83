import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { ServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { HOSTILE_PAIRS } from './hostile-pairs.js';

/** An organization separate from the neighbour's, and what it may use. */
export interface Attacker {
  /** The owner's. */
  token: string;
  viewer: string;
  projectId: string;
  /** A public key. */
  key: string;
  /** A config item without a schema. */
  plainItem: string;
  /** Versions whose values take forever to check against their items' schemas. */
  stored: { item: string; version: string }[];
}

export async function buildAttacker(server: ServerProcess, databaseUrl: string): Promise<Attacker> {
  const { owner: account, tokens } = await server.firstRun();
  const { createOrganization } = await new Client(server.url)
    .withToken(tokens.owner)
    .graphql<{ createOrganization: { id: string } }>(
      'mutation { createOrganization(input: { name: "Attackers" }) { id } }',
    );
  const { signIn } = await new Client(server.url).graphql<{ signIn: { token: string } }>(
    'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
    { input: { ...account, organizationId: createOrganization.id } },
  );
  const owner = new Client(server.url).withToken(signIn.token);
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation { createProject(input: { name: "Attack" }) { id } }',
  );
  const projectId = createProject.id;
  const { createApiKey } = await owner.graphql<{ createApiKey: { secret: string } }>(
    'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { projectId, environment: 'live', name: 'public' } },
  );
  const { createApiToken } = await owner.graphql<{ createApiToken: { token: string } }>(
    'mutation { createApiToken(input: { name: "viewer", role: viewer, expiresInDays: 1 }) { token } }',
  );
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const stored: Attacker['stored'] = [];
    for (const { schema, value } of Object.values(HOSTILE_PAIRS))
      stored.push(await storeItem(database, projectId, schema, value));
    return {
      token: signIn.token,
      viewer: createApiToken.token,
      projectId,
      key: createApiKey.secret,
      plainItem: (await storeItem(database, projectId, null, 'x')).item,
      stored,
    };
  } finally {
    await database.end();
  }
}

/** Stores an item directly, as a release without limits once did, because the product now rejects such pairs. */
async function storeItem(
  database: pg.Client,
  projectId: string,
  schema: object | null,
  value: unknown,
): Promise<{ item: string; version: string }> {
  const [item, version] = [randomUUID(), randomUUID()];
  await database.query(
    `insert into config_item (id, project_id, environment, key, type, default_value, description, json_schema, current_version,
                              created_at, updated_at)
     values ($1, $2, 'live', $3, 'json', '1', '', $4, 2, now(), now())`,
    [item, projectId, `stored.${item}`, schema && JSON.stringify(schema)],
  );
  await database.query(
    `insert into config_version (id, item_id, version_number, action, value_snapshot, actor_id, actor_email, created_at)
     values ($1, $2, 1, 'created', $3, 'x', 'x', now()), ($4, $2, 2, 'changed', '1', 'x', 'x', now())`,
    [version, item, JSON.stringify(value), randomUUID()],
  );
  return { item, version };
}
