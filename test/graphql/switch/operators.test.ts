import * as assert from 'uvu/assert';
import { type Client, refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type TestUser, type World } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';

/** Created before the server starts, as the setting names it. */
const NAMED = 'viewer-who-operates@example.com';

const operators = appSuite<{ first: World; other: World }>('operators of the installation', {
  settings: { OPERATORS: ` ${NAMED.toUpperCase()}, somebody@example.com` },
});

operators.before(async (context) => {
  context.first = await buildWorld(context.test);
  context.other = await buildWorld(context.test);
});

const setPlan = (client: Client, projectId: string) =>
  client.graphql<{ setProjectPlan: { plan: string } }>(
    'mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) { plan } }',
    { input: { projectId, plan: 'growth' } },
  );
const update = (client: Client, input: Record<string, unknown>) =>
  client.graphql<{ updateProject: { name: string; billingSuspended: boolean } }>(
    'mutation($input: UpdateProjectInput!) { updateProject(input: $input) { name billingSuspended } }',
    { input },
  );
const codeOf = async (operation: Promise<unknown>) => (await refusalOf(operation)).code;

async function signedIn({ client, email, password }: TestUser): Promise<Client> {
  const { signIn } = await client.graphql<{ signIn: { token: string } }>(
    'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
    { input: { email, password } },
  );
  return client.withToken(signIn.token);
}

async function minted({ client }: TestUser, input: object): Promise<Client> {
  const { createApiToken } = await client.graphql<{ createApiToken: { token: string } }>(
    'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }',
    { input: { name: 'bot', ...input } },
  );
  return client.withToken(createApiToken.token);
}

operators(
  'an owner can neither change the limits of their own organization nor lift its suspension',
  async ({ other }) => {
    const { client } = other.owner;
    assert.is(await codeOf(setPlan(client, other.projectId)), 'OPERATORS_ONLY');
    await update(other.operator, { id: other.projectId, billingSuspended: true });
    const lifting = { id: other.projectId, billingSuspended: false };
    assert.is(await codeOf(update(client, lifting)), 'OPERATORS_ONLY');
    assert.is(await codeOf(update(client, { ...lifting, name: 'Renamed' })), 'OPERATORS_ONLY');
    const { updateProject } = await update(client, { id: other.projectId, name: 'Ours' });
    assert.equal(updateProject, { name: 'Ours', billingSuspended: true });
  },
);

operators("the first organization's owner sets them for everybody, and nothing else", async ({ first, other }) => {
  const { client } = first.owner;
  assert.is((await setPlan(client, other.projectId)).setProjectPlan.plan, 'growth');
  const { updateProject } = await update(client, { id: other.projectId, billingSuspended: false });
  assert.is(updateProject.billingSuspended, false);
  const renaming = { id: other.projectId, billingSuspended: true, name: 'Theirs' };
  assert.is(await codeOf(update(client, renaming)), 'PROJECT_NOT_FOUND');
  const { project } = await other.owner.client.graphql<{ project: { name: string; billingSuspended: boolean } }>(
    'query($id: ID!) { project(id: $id) { name billingSuspended } }',
    { id: other.projectId },
  );
  assert.is(project.billingSuspended, false, 'refused as a whole');
  assert.not.equal(project.name, 'Theirs');
});

operators("a project's usage shows limits that override the plan's, until they are omitted", async ({ other }) => {
  const set = async (overrides?: object) => {
    const { setProjectPlan } = await other.operator.graphql<{ setProjectPlan: object }>(
      `mutation($input: SetProjectPlanInput!) { setProjectPlan(input: $input) {
         overrides { events decisions responses symbolBytes } meters { meter quota } } }`,
      { input: { projectId: other.projectId, plan: 'pro', overrides } },
    );
    return setProjectPlan;
  };
  const quotas = (events: number, decisions: number, responses: number) => [
    { meter: 'events', quota: events },
    { meter: 'decisions', quota: decisions },
    { meter: 'responses', quota: responses },
  ];
  assert.equal(await set({ events: 0, responses: 7, symbolBytes: null }), {
    overrides: { events: 0, decisions: null, responses: 7, symbolBytes: null },
    meters: quotas(0, 10_000_000, 7),
  });
  assert.equal(await set(), {
    overrides: { events: null, decisions: null, responses: null, symbolBytes: null },
    meters: quotas(5_000_000, 10_000_000, 50_000),
  });
});

operators(
  'other members of the first organization are not operators, whatever their role below owner',
  async ({ test, first }) => {
    const admin = await buildMember(test, first, 'admin');
    assert.is(await codeOf(setPlan(admin.client, first.projectId)), 'OPERATORS_ONLY');
  },
);

operators(
  'an email address in the setting is an operator only as a member of the first organization',
  async ({ test, first, other }) => {
    const named = await buildMember(test, first, 'viewer', NAMED);
    assert.is(await codeOf(setPlan(named.client, other.projectId)), 'PROJECT_NOT_FOUND', 'with an API token');
    const session = await signedIn(named);
    assert.is((await setPlan(session, other.projectId)).setProjectPlan.plan, 'growth');
    const added = await buildMember(test, other, 'admin', 'somebody@example.com');
    assert.is(await codeOf(setPlan(await signedIn(added), other.projectId)), 'OPERATORS_ONLY');
  },
);

operators("an owner's API token is an operator only with the role owner and without restriction", async ({ first }) => {
  const { projectId, owner } = first;
  assert.is(await codeOf(setPlan(await minted(owner, { role: 'admin' }), projectId)), 'OPERATORS_ONLY');
  assert.is(await codeOf(setPlan(await minted(owner, { role: 'owner', projectId }), projectId)), 'OPERATORS_ONLY');
  assert.ok(await setPlan(await minted(owner, { role: 'owner' }), projectId));
});

operators.run();
