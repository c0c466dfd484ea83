import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES, type Role, roleAtLeast } from '../../../src/kernel/actor.js';
import type { Client } from '../../support/client.js';
import { buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { documentOf, rootFields } from '../operation-documents.js';
import { askGraphql, eventKinds, isGoodOnce, sideBySide } from './matrix-calls.js';
import { MatrixObjects } from './matrix-objects.js';
import type { GraphqlRow } from './matrix-row.js';
import { GRAPHQL_MATRIX } from './role-matrix.js';

/** An owner's API token: for the organization, for the project that the arguments name, or for another one. */
interface TokenCaller {
  role: Role;
  reach: 'organization' | 'project' | 'elsewhere';
  client: Client;
}

const matrix = suite<{ test: TestApp; world: World; tokens: TokenCaller[] }>("an owner's API tokens × mutation matrix");

matrix.before(async (context) => {
  const test = await openTestApp({ worker: true, settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
  const world = await buildWorld(test);
  const elsewhere = (await buildProject(world)).projectId;
  const reaches = { organization: null, project: world.projectId, elsewhere } as const;
  const tokens: TokenCaller[] = [];
  for (const role of ROLES) {
    for (const [reach, projectId] of Object.entries(reaches)) {
      const { createApiToken } = await world.owner.client.graphql<{ createApiToken: { token: string } }>(
        'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }',
        { input: { name: `${role} ${reach}`, role, projectId } },
      );
      const client = world.owner.client.withToken(createApiToken.token);
      tokens.push({ role, reach: reach as keyof typeof reaches, client });
    }
  }
  Object.assign(context, { test, world, tokens });
});
matrix.after(({ test }) => test.close());

/** The weakest role that a token needs. The world is the first on its server, so its owner is an operator. */
function leastOf({ least, leastToken }: GraphqlRow): Role {
  if (leastToken) return leastToken;
  return least === 'operator' ? 'owner' : least === 'anyone' ? 'viewer' : least;
}

function isAllowed({ role, reach }: TokenCaller, row: GraphqlRow): boolean {
  if (row.least === 'anyone') return true;
  if (row.needsSession || (reach === 'elsewhere' && !row.goesByToken)) return false;
  return (reach === 'organization' || !row.ofOrganization) && roleAtLeast(role, leastOf(row));
}

matrix("the token's permissions count, whatever its user may do, and refusals change nothing", async (context) => {
  const { test, world, tokens } = context;
  const objects = new MatrixObjects(test, world, world.owner);
  const rows = rootFields(test.app.schema).flatMap((root) => {
    const row = GRAPHQL_MATRIX[root.name];
    return row && root.kind === 'mutation' ? [{ name: root.name, row, query: documentOf(root, 0) }] : [];
  });
  assert.ok(rows.length > 50);
  const shared = new Map<string, Record<string, unknown>>();
  await sideBySide(rows, async ({ name, row }) => {
    shared.set(name, (await row.args?.(objects)) ?? {});
  });

  const calls = rows.flatMap((one) => tokens.map((token) => ({ ...one, token, allowed: isAllowed(token, one.row) })));
  // The strongest refused token stands for the weaker ones.
  const strongest = calls.filter(({ row, token, allowed }) => {
    const stronger = ROLES.filter((role) => role !== token.role && roleAtLeast(role, token.role));
    return !allowed && stronger.every((role) => isAllowed({ ...token, role }, row));
  });
  assert.ok(strongest.length > 2 * rows.length);
  const before = await eventKinds(test);
  await sideBySide(strongest, async ({ name, row, query, token }) => {
    const { data, errors } = await askGraphql(token.client, { query, row }, shared.get(name) ?? {});
    const what = `${name} by a token of ${token.role}, ${token.reach}: ${JSON.stringify(errors ?? data)}`;
    if (!errors && row.foreignIsGone && token.reach === 'elsewhere') return;
    const refusal = row.needsSession ? /^SESSION_REQUIRED$/ : /_NOT_FOUND$|^PERMISSION_DENIED$|^OPERATORS_ONLY$/;
    assert.match(errors?.[0]?.extensions.code ?? 'none', refusal, what);
    assert.not.ok(data?.[name], what);
  });
  assert.equal((await eventKinds(test)).slice(before.length), [], 'refused calls left events behind');

  // The weakest permitted token stands for the stronger ones.
  const weakest = calls.filter(({ allowed, token, row }) => allowed && token.role === leastOf(row));
  assert.ok(weakest.length > rows.length);
  const served = new Set<string>();
  await sideBySide(weakest, async ({ name, row, query, token }) => {
    // Refused calls changed nothing; the first permitted one may use up the object.
    const isFirst = !served.has(name);
    served.add(name);
    const own = isGoodOnce(name, row) && !isFirst ? await row.args?.(objects) : shared.get(name);
    const { errors } = await askGraphql(token.client, { query, row }, own ?? {});
    assert.is(errors, undefined, `${name} by a token of ${token.role}, ${token.reach}: ${JSON.stringify(errors)}`);
  });
});

matrix.run();
