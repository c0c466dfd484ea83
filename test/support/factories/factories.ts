import { randomUUID } from 'node:crypto';
import type { Role, UserActor } from '../../../src/kernel/actor.js';
import { type Context, systemCaller } from '../../../src/kernel/context.js';
import { openAccount, personNamed } from '../../../src/modules/access/people/accounts.js';
import { Organization } from '../../../src/modules/access/projects/organization.entity.js';
import { Client } from '../client.js';
import type { TestApp } from '../test-app.js';

export interface TestUser {
  id: string;
  email: string;
  password: string;
  actor: UserActor;
  token: string;
  /** A client that calls with this user's token. */
  client: Client;
}

/** The world of one test: an organization with its owner, a project, and both keys. */
export interface World {
  organizationId: string;
  projectId: string;
  owner: TestUser;
  /** An operator of the installation: the owner of its first organization. */
  operator: Client;
  keys: { live: string; test: string };
  /** Clients that call with the project's keys. */
  live: Client;
  test: Client;
}

const PASSWORD = 'correct horse battery';
/**
 * A hash contains the cost it was made with; this one costs almost nothing. Passwords that tests set over GraphQL have
 * the real cost.
 */
const PASSWORD_HASH = 'scrypt$16$1$1$dGhlIHNhbHQgb2YgdGVzdHM$Z66U52-nXrSZvaVwm7qphecHHHGbbPRWQpF6JenzgNs';

const operators = new WeakMap<TestApp, Promise<TestUser>>();

export async function buildWorld(test: TestApp): Promise<World> {
  const first = operators.get(test);
  const owner = first ? first.then(() => buildOwner(test)) : buildOwner(test);
  if (!first) operators.set(test, owner);
  return projectOf(await owner, (await (first ?? owner)).client);
}

/** Another project in a world's organization with its own keys; much quicker than another world. */
export const buildProject = ({ owner, operator }: World): Promise<World> => projectOf(owner, operator);

async function projectOf(owner: TestUser, operator: Client): Promise<World> {
  const { createProject } = await owner.client.graphql<{ createProject: { id: string } }>(
    'mutation($input: CreateProjectInput!) { createProject(input: $input) { id } }',
    { input: { name: `Project ${randomUUID().slice(0, 8)}` } },
  );
  const live = await buildKey(owner, createProject.id, 'live');
  const key = await buildKey(owner, createProject.id, 'test');
  return {
    organizationId: owner.actor.organizationId,
    projectId: createProject.id,
    owner,
    operator,
    keys: { live, test: key },
    live: owner.client.withKey(live),
    test: owner.client.withKey(key),
  };
}

/** Creates an organization and the user who owns it. */
async function buildOwner(test: TestApp): Promise<TestUser> {
  return makeMember(test, null, 'owner');
}

/** Adds a member to the world's organization, signed in with an API token of the same role. */
export async function buildMember(test: TestApp, world: World, role: Role, email?: string): Promise<TestUser> {
  return makeMember(test, world.organizationId, role, email);
}

/** Sets the plan of the world's project, and limits that override the plan's. */
export async function setPlan(
  { operator, projectId }: World,
  overrides: Record<string, number | null> = {},
  plan = 'hobby',
): Promise<void> {
  await operator.graphql('mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) { plan } }', {
    input: { projectId, plan, overrides },
  });
}

/** Creates a key and returns its secret. */
export async function buildKey(
  user: TestUser,
  projectId: string,
  environment: 'live' | 'test',
  scopes?: string[],
): Promise<string> {
  const { createApiKey } = await user.client.graphql<{ createApiKey: { secret: string } }>(
    'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { projectId, environment, ...(scopes ? { scopes } : {}) } },
  );
  return createApiKey.secret;
}

const newOrganization = (ctx: Context): Organization =>
  ctx.em.create(Organization, { name: `Organization ${randomUUID().slice(0, 8)}`, createdAt: ctx.now() });

async function makeMember(
  test: TestApp,
  /** Null for a new one. */
  organization: string | null,
  role: Role,
  email = `${role}-${randomUUID()}@example.com`,
): Promise<TestUser> {
  const { app } = test;
  const { organizationId, userId } = await app.tx.write(systemCaller('factory'), async (ctx) => {
    const organizationId = organization ?? newOrganization(ctx).id;
    const user = await personNamed(ctx, email);
    await openAccount(ctx, user, { organizationId, role, passwordHash: PASSWORD_HASH, mustChangePassword: false });
    return { organizationId, userId: user.id };
  });
  const actor: UserActor = {
    kind: 'user',
    userId,
    email,
    organizationId,
    credential: 'session',
    grantedRole: role,
    roleCeiling: role,
    projectId: null,
    tokenId: randomUUID(),
  };
  const { token } = await app.tx.write({ actor, requestId: randomUUID(), address: null }, (ctx) =>
    app.services.apiTokens.create(ctx, { name: 'test', role, expiresInDays: 365 }),
  );
  return { id: userId, email, password: PASSWORD, actor, token, client: new Client(test.baseUrl).withToken(token) };
}
