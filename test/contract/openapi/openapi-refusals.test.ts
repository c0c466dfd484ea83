import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEY_SCOPES, type KeyScope } from '../../../src/modules/access/keys/key-scopes.js';
import { Client } from '../../support/client.js';
import { buildKey, buildMember, buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { type ContractOperation, errorText, OpenApiContract } from '../../support/openapi/openapi-contract.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const MAX_BODY_BYTES = 65_536;
const REQUESTS_PER_MINUTE = 500;

const contract = new OpenApiContract();
const byKey = contract.operations.filter(({ security }) => security.some((each) => 'projectKey' in each));
const byToken = contract.operations.filter(({ security }) => security.some((each) => 'accessToken' in each));
const routed = contract.operations.filter(({ responses }) => responses.has(413));

let test: TestApp;
let world: World;
let anonymous: Client;

/** What every operation refuses before its handler runs, for all operations and aliases in the document. */
const refusals = suite('documented refusals');

refusals.before(async () => {
  test = await openTestApp({ settings: { MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
  // A new minute would restart the counting of requests.
  test.clock.set(new Date());
  world = await buildWorld(test);
  anonymous = new Client(test.baseUrl);
});
refusals.after(() => test.close());

/** Sends a request's documented example. */
function send(client: Client, operation: ContractOperation, headers: Record<string, string> = {}) {
  const url = pathOf(operation);
  if (operation.body === null) return client.send(operation.method, url, undefined, headers);
  const { mediaType, media } = operation.body;
  return client.send(operation.method, url, JSON.stringify(media.example ?? {}), {
    'content-type': mediaType,
    ...headers,
  });
}

function pathOf({ path, parameters }: ContractOperation): string {
  const exampleOf = (name: string) => String(parameters.find((each) => each.name === name)?.example ?? 'x');
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && each.required)
      .map(({ name }): [string, string] => [name, exampleOf(name)]),
  );
  return `${path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name))}?${query}`;
}

/** The exact documented body of an operation's failure. */
function documented({ id, responses }: ContractOperation, failure: string): { status: number; body: unknown } {
  for (const [status, { content }] of responses) {
    const example = content?.['application/json']?.examples?.[failure];
    if (example) return { status, body: example.value };
  }
  throw new Error(`${id} does not document ${failure}`);
}

async function refuses(operation: ContractOperation, failure: string, sent: ReturnType<typeof send>): Promise<void> {
  const answer = await sent;
  const { status, body } = documented(operation, failure);
  const name = `${operation.method} ${operation.path} ${failure}: ${answer.text}`;
  assert.is(answer.status, status, name);
  assert.is(errorText(answer.body), errorText(body), name);
}

async function updateProject(project: World, changes: object): Promise<void> {
  await project.owner.client.graphql('mutation($input: UpdateProjectInput!) { updateProject(input: $input) { id } }', {
    input: { id: project.projectId, ...changes },
  });
}

refusals('a key is missing, unknown, or lacks the scope', async () => {
  const scopes = [...KEY_SCOPES];
  const lacking = new Map<KeyScope, Client>();
  for (const scope of scopes) {
    const others = scopes.filter((each) => each !== scope);
    lacking.set(scope, anonymous.withKey(await buildKey(world.owner, world.projectId, 'live', others)));
  }
  for (const operation of byKey) {
    const [scope = ''] = operation.security[0]?.projectKey ?? [];
    await refuses(operation, 'missing_api_key', send(anonymous, operation));
    await refuses(operation, 'invalid_api_key', send(anonymous.withKey('sk_live_unknown'), operation));
    await refuses(operation, 'insufficient_scope', send(lacking.get(scope as KeyScope) as Client, operation));
  }
});

refusals('a corrupt body in a request that is refused before it is read', async () => {
  const narrow = anonymous.withKey(await buildKey(world.owner, world.projectId, 'live', ['decide']));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  for (const { path, method, security } of byKey) {
    if (method !== 'POST' || security.some(({ projectKey = [] }) => projectKey.includes('decide'))) continue;
    const answer = await narrow.send(method, path, 'this is not gzip', headers);
    assert.ok([400, 403].includes(answer.status), `${path}: ${answer.status} ${answer.text}`);
  }
  assert.is((await anonymous.get('/healthz')).status, 200);
});

refusals('a key is used from an origin or address that is not allowed', async () => {
  const bounded = await buildProject(world);
  await updateProject(bounded, { authorizedOrigins: ['https://app.example.com'], authorizedAddresses: ['10.0.0.0/8'] });
  for (const operation of byKey) {
    const origin = { origin: 'https://elsewhere.example.com' };
    await refuses(operation, 'unauthorized_origin', send(bounded.live, operation, origin));
    await refuses(operation, 'unauthorized_address', send(bounded.live, operation));
  }
});

refusals('a key asks too often', async () => {
  const { createApiKey } = await world.owner.client.graphql<{ createApiKey: { secret: string } }>(
    'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { projectId: world.projectId, environment: 'live', rateLimit: 1 } },
  );
  const slow = anonymous.withKey(createApiKey.secret);
  const unknown = anonymous.withKey('sk_live_counted_all_the_same');
  await slow.get('/api/pulse/surveys');
  for (const path of ['/api/v1/handshake', '/api/v1/alias']) {
    const method = path.endsWith('alias') ? 'POST' : 'GET';
    const sent = Array.from({ length: REQUESTS_PER_MINUTE }, () => unknown.send(method, path, undefined, {}));
    for (const answer of await Promise.all(sent)) assert.is(answer.status, 401);
  }
  for (const operation of byKey) {
    const isLimited = ['Ingestion', 'Decisions'].includes(contract.primaryOf(operation).tag);
    await refuses(operation, 'rate_limited', send(isLimited ? unknown : slow, operation));
  }
});

refusals('a token is missing, forged, or has too weak a role', async () => {
  const viewer = await buildMember(test, world, 'viewer');
  for (const operation of byToken) {
    await refuses(operation, 'unauthenticated', send(anonymous, operation));
    // Some operations answer both alike, and then the document has the answer once.
    const isTold = [...operation.responses.values()].some(({ content }) =>
      Object.values(content ?? {}).some(({ examples = {} }) => 'invalid_token' in examples),
    );
    const forged = isTold ? 'invalid_token' : 'unauthenticated';
    await refuses(operation, forged, send(anonymous.withToken('a.b.c'), operation));
  }
  const answer = await send(viewer.client, operationOf('deleteSymbolArtifact'));
  assert.is(answer.status, 403);
});

refusals('a declared body size is larger than the server accepts', async () => {
  const key = await buildKey(world.owner, world.projectId, 'test', [...KEY_SCOPES]);
  const credentials = { authorization: `Bearer ${world.owner.token}`, 'x-api-key': key };
  for (const operation of routed) {
    const { status, text } = await announce(operation, credentials);
    assert.is(status, 413, `${operation.method} ${operation.path}: ${text}`);
    assert.is(errorText(JSON.parse(text)), 'payload_too_large');
  }
});

const operationOf = (id: string): ContractOperation => {
  const found = contract.operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

/** Sends the headers of a request that declares a large body, but no body. */
function announce(
  operation: ContractOperation,
  credentials: Record<string, string>,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...credentials, 'content-length': String(MAX_BODY_BYTES + 1) };
    const sent = request(`${test.baseUrl}${pathOf(operation)}`, { method: operation.method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => {
        sent.destroy();
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    sent.once('error', reject);
    sent.flushHeaders();
  });
}

refusals.run();
