import * as assert from 'uvu/assert';
import type { Route } from '../../../rest/route.js';
import { restRoutes } from '../../../rest/routes.js';
import { roleAtLeast } from '../../../src/kernel/actor.js';
import { KEY_SCOPES, type KeyScope } from '../../../src/modules/access/keys/key-scopes.js';
import { Client, type RestAnswer } from '../../support/client.js';
import { buildKey, buildMember, buildWorld, type TestUser, type World } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { signIn } from '../../support/sign-in.js';
import { documentOf, rootFields } from '../operation-documents.js';
import { askGraphql, eventKinds, type GraphqlAnswer, isGoodOnce, type Operation, sideBySide } from './matrix-calls.js';
import { MatrixObjects } from './matrix-objects.js';
import { CALLERS, type GraphqlRow, type MatrixCaller } from './matrix-row.js';
import { REST_MATRIX, type RestMatrixRequest, type RestRow } from './rest-role-matrix.js';
import { GRAPHQL_MATRIX } from './role-matrix.js';
import { sameObjects } from './same-objects.js';

const REFUSALS = new Set(['UNAUTHENTICATED', 'INVALID_TOKEN', 'PERMISSION_DENIED', 'OPERATORS_ONLY']);
const HASHING = new Set(['changePassword', 'addMember', 'resetMemberPassword']);

let users: Record<Exclude<MatrixCaller, 'anonymous' | 'key'>, TestUser>;
let foreignKey: string;
/** Keys that may read definitions, unlike those of the world. */
let definitionsKeys: { own: string; foreign: string };

const matrix = worldSuite('role × operation matrix', {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
});
const { here } = matrix;
matrix.before(async () => {
  const foreign = await buildWorld(here.test);
  foreignKey = foreign.keys.live;
  const reader = ({ owner, projectId }: World) => buildKey(owner, projectId, 'live', ['definitions']);
  definitionsKeys = { own: await reader(here.world), foreign: await reader(foreign) };
  const member = (role: 'viewer' | 'editor' | 'admin') => buildMember(here.test, here.world, role);
  users = {
    viewer: await member('viewer'),
    editor: await member('editor'),
    admin: await member('admin'),
    owner: here.world.owner,
    foreigner: foreign.owner,
  };
});

function userOf(caller: MatrixCaller): TestUser | null {
  return caller === 'anonymous' || caller === 'key' ? null : users[caller];
}

function objectsFor(caller: MatrixCaller): MatrixObjects {
  return new MatrixObjects(here.test, here.world, userOf(caller));
}

function isAllowed(caller: MatrixCaller, row: GraphqlRow): boolean {
  if (row.least === 'anyone') return true;
  if (caller === 'anonymous' || caller === 'key') return false;
  if (caller === 'foreigner') return row.concernsOwnOrganization === true;
  // The world is the first on its server, so its owner is an operator.
  return roleAtLeast(caller, row.least === 'operator' ? 'owner' : row.least);
}

matrix('has a row for every GraphQL operation, and no other', () => {
  assert.equal(
    Object.keys(GRAPHQL_MATRIX).sort(),
    rootFields(here.test.app.schema)
      .map(({ name }) => name)
      .sort(),
  );
});

matrix('has a row for every REST route, and no other', () => {
  const routes = restRoutes(here.test.app).map(({ method, path }) => `${method} ${path}`);
  assert.equal(Object.keys(REST_MATRIX).sort(), routes.sort());
});

matrix('GraphQL: who may do what, and refusals change nothing', async () => {
  const rows = rootFields(here.test.app.schema).flatMap((root) => {
    const row = GRAPHQL_MATRIX[root.name];
    return row ? [{ root, row, query: documentOf(root, 0) }] : [];
  });
  const shared = new Map<string, Record<string, unknown>>();
  const read = sameObjects(objectsFor('owner'));
  await sideBySide(rows, async ({ root, row }) => {
    shared.set(root.name, (await row.args?.(root.kind === 'query' ? read : objectsFor('owner'))) ?? {});
  });

  const before = await eventKinds(here.test);
  const refused = rows.flatMap((one) =>
    CALLERS.filter((caller) => !isAllowed(caller, one.row)).map((caller) => ({ ...one, caller })),
  );
  await sideBySide(refused, async ({ root, row, query, caller }) => {
    const { data, errors } = await ask(caller, { query, row }, shared.get(root.name));
    const code = errors?.[0]?.extensions.code ?? 'none';
    const what = `${root.name} by ${caller}: ${JSON.stringify(errors ?? data)?.slice(0, 300)}`;
    if (caller === 'foreigner' && row.foreignIsGone) {
      assert.is(errors, undefined, what);
      return;
    }
    if (row.least === 'operator' && code === 'OPERATORS_ONLY') return;
    if (caller === 'foreigner') assert.match(code, /_NOT_FOUND$/, what);
    else if (row.hidesObject) assert.match(code, /_NOT_FOUND$|^UNAUTHENTICATED$/, what);
    else assert.ok(REFUSALS.has(code), what);
    assert.not.ok(data?.[root.name], what);
  });
  assert.equal((await eventKinds(here.test)).slice(before.length), [], 'refused calls left events behind');

  const served = new Set<string>();
  const serve = async ({ root, row, query }: (typeof rows)[number]): Promise<void> => {
    for (const caller of CALLERS.filter((one) => isAllowed(one, row))) {
      // Where a password is hashed, only the weakest permitted role is tried: hashing takes as long as forty other requests.
      if (HASHING.has(root.name) && served.has(root.name)) continue;
      served.add(root.name);
      // Refused calls changed nothing, so the owner can still use the object.
      const isOwn = isGoodOnce(root.name, row) && caller !== 'owner';
      const own = isOwn ? await row.args?.(objectsFor(caller)) : shared.get(root.name);
      const { errors } = await ask(caller, { query, row }, own);
      assert.is(errors, undefined, `${root.name} by ${caller}: ${JSON.stringify(errors)}`);
    }
  };
  // A change from another row could delete what is read here, or end a session, if it came first.
  const {
    reading = [],
    changing = [],
    ofSessions = [],
  } = Object.groupBy(rows, ({ root, row }) =>
    row.needsSession ? 'ofSessions' : root.kind === 'query' ? 'reading' : 'changing',
  );
  await sideBySide(reading, serve);
  await sideBySide(changing, serve);
  for (const one of ofSessions) await serve(one);
});

matrix('REST: who may do what, and refusals change nothing', async () => {
  const rows = restRoutes(here.test.app).flatMap((route) => {
    const { method, path } = route;
    const row = REST_MATRIX[`${method} ${path}`];
    return row ? [{ method, path, route, row }] : [];
  });
  const shared = new Map<RestRow, RestMatrixRequest>();
  await sideBySide(rows, async ({ row }) => {
    shared.set(row, await row.request(objectsFor('owner')));
  });

  const calls = rows.flatMap((one) =>
    CALLERS.map((caller) => ({ ...one, caller, status: expectedRest(caller, one.route, one.row) })),
  );
  const before = await eventKinds(here.test);
  await sideBySide(calls, async ({ method, path, route, row, caller, status }) => {
    if (status === 'allowed') return;
    const answer = await sendRest(route, caller, shared.get(row) as RestMatrixRequest);
    assert.is(answer.status, status, `${method} ${path} by ${caller}: ${answer.text.slice(0, 300)}`);
  });
  assert.equal((await eventKinds(here.test)).slice(before.length), [], 'refused calls left events behind');
  await sideBySide(calls, async ({ method, path, route, row, caller, status }) => {
    if (status !== 'allowed') return;
    const request = method === 'GET' ? shared.get(row) : await row.request(objectsFor(caller));
    const answer = await sendRest(route, caller, request as RestMatrixRequest);
    assert.ok(answer.status < 400, `${method} ${path} by ${caller}: ${answer.status} ${answer.text.slice(0, 300)}`);
  });
});

matrix('REST: a key does what its scopes allow, and nothing else', async () => {
  const keys = new Map<KeyScope, { only: Client; without: Client }>();
  for (const scope of KEY_SCOPES) {
    const others = KEY_SCOPES.filter((one) => one !== scope);
    const made = (scopes: KeyScope[]) => buildKey(here.world.owner, here.world.projectId, 'live', scopes);
    keys.set(scope, {
      only: here.world.live.withKey(await made([scope])),
      without: here.world.live.withKey(await made(others)),
    });
  }
  for (const { method, path, scope } of restRoutes(here.test.app)) {
    const row = REST_MATRIX[`${method} ${path}`];
    const clients = scope && keys.get(scope);
    if (!row || !clients) continue;
    const request = await row.request(objectsFor('owner'));
    const refused = await sendWith(clients.without, method, request);
    assert.is(refused.status, 403, `${method} ${path}: ${refused.text}`);
    assert.is((refused.body as { error: string }).error, 'insufficient_scope');
    const allowed = await sendWith(clients.only, method, request);
    assert.ok(allowed.status < 400, `${method} ${path}: ${allowed.status} ${allowed.text}`);
  }
});

matrix.run();

/** Asks as the caller; operations that need a session get one. */
async function ask(caller: MatrixCaller, operation: Operation, variables = {}): Promise<GraphqlAnswer> {
  const user = operation.row.needsSession ? userOf(caller) : null;
  const client =
    caller === 'key' ? here.world.live : user ? (await signIn(here.test.baseUrl, user)).client : clientOf(caller);
  return askGraphql(client, operation, variables);
}

function clientOf(caller: MatrixCaller): Client {
  return userOf(caller)?.client ?? new Client(here.test.baseUrl);
}

/** The status that the route's own row gives a caller. */
function expectedRest(caller: MatrixCaller, { least, scope }: Route, { foreigner }: RestRow): 'allowed' | number {
  if (!least && !scope) return 'allowed';
  if (caller === 'foreigner') return foreigner === 'own' ? 'allowed' : (foreigner ?? 404);
  if (!least) return caller === 'key' ? 'allowed' : 401;
  if (caller === 'anonymous' || caller === 'key') return 401;
  return roleAtLeast(caller, least) ? 'allowed' : 403;
}

/** On a key's route the foreigner uses their own project's key, and users send their token, which is not a key. */
function sendRest({ method, scope }: Route, caller: MatrixCaller, request: RestMatrixRequest): Promise<RestAnswer> {
  const isForeign = caller === 'foreigner' && scope;
  const keys = scope === 'definitions' ? definitionsKeys : { own: here.world.keys.live, foreign: foreignKey };
  const client =
    caller === 'key' || isForeign ? here.world.live.withKey(isForeign ? keys.foreign : keys.own) : clientOf(caller);
  return sendWith(client, method, request);
}

function sendWith(
  client: Client,
  method: string,
  { path, body, headers = {} }: RestMatrixRequest,
): Promise<RestAnswer> {
  if (body === undefined || body instanceof Uint8Array) return client.send(method, path, body, headers);
  return client.send(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}
