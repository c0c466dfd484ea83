import { createServer } from 'node:http';
import pg from 'pg';
import type { Client } from '../client.js';
import { openLocally } from '../receivers/open-locally.js';
import { changePassword, signIn } from '../sign-in.js';
import { uploadSymbols } from '../symbols/symbol-client.js';
import { until } from '../until.js';
import { pulseFixture } from './bad-input-fixture-pulse.js';
import { mutate } from './mutate.js';

/** The running server that the fixture is created on. It must allow webhooks to 127.0.0.0/8 and run the worker. */
export interface FixtureServer {
  baseUrl: string;
  databaseUrl: string;
  jwtSecret: string;
  /** What its first start left: the owner, the organization and its only project. */
  firstRun: {
    organization_id: string;
    project_id: string;
    owner: { email: string; password: string };
    api_keys: { live: string; test: string };
  };
}

/** Placeholder → value. */
export type Fixture = Record<string, string>;

/** One organization in the fixture: its owner's client, its project and the project's live key. */
export interface FixtureSide {
  owner: Client;
  projectId: string;
  key: string;
}

/** What the parts share. `others` are additional projects in the other organization, so that ours has only one. */
export interface FixtureStage {
  server: FixtureServer;
  fixture: Fixture;
  ours: FixtureSide;
  other: FixtureSide;
  /** Creates another project in the other organization. */
  extraProject(name: string): Promise<FixtureSide>;
}

/** One part of the fixture. */
export type FixturePart = (stage: FixtureStage) => Promise<void>;

const parts: Readonly<Record<string, FixturePart>> = {
  access: addAccess,
  config: addConfig,
  switch: addFlags,
  ingest: addQuota,
  pulse: pulseFixture,
  catch: addArtifacts,
  webhooks: addDeadLetter,
};

/**
 * Creates everything that the corpus of bad inputs refers to, through the public APIs. A part that fails is reported to
 * `onFailure` and left out; its lines are then skipped.
 */
export async function buildBadInputFixture(
  server: FixtureServer,
  onFailure: (part: string, error: unknown) => void,
): Promise<Fixture> {
  const stage = await openStage(server);
  for (const [name, part] of Object.entries(parts)) await part(stage).catch((error) => onFailure(name, error));
  return stage.fixture;
}

async function openStage(server: FixtureServer): Promise<FixtureStage> {
  const { firstRun, baseUrl } = server;
  const { client: owner } = await signIn(baseUrl, firstRun.owner);
  const organization = await mutate(owner, 'createOrganization', 'CreateOrganizationInput', { name: 'The other one' });
  const inOther = { ...firstRun.owner, organizationId: organization.id };
  const { client: otherOwner } = await signIn(baseUrl, inOther);
  const extraProject = async (name: string): Promise<FixtureSide> => {
    const project = await mutate(otherOwner, 'createProject', 'CreateProjectInput', { name });
    return { owner: otherOwner, projectId: project.id, key: (await liveKey(otherOwner, project.id)).secret };
  };
  const ours = { owner, projectId: firstRun.project_id, key: firstRun.api_keys.live };
  const other = await extraProject('Theirs');
  const fixture: Fixture = {
    PROJECT_ID: ours.projectId,
    KEY_LIVE: ours.key,
    JWT_SECRET: server.jwtSecret,
    OTHER_PROJECT_ID: other.projectId,
    OTHER_PROJECT_KEY_LIVE: other.key,
  };
  return { server, fixture, ours, other, extraProject };
}

async function liveKey(owner: Client, projectId: string): Promise<{ secret: string; key: { id: string } }> {
  const input = { projectId, environment: 'live', name: 'fixture' };
  return mutate(owner, 'createApiKey', 'CreateApiKeyInput', input, 'secret key { id }');
}

async function addAccess({ server, fixture, ours, extraProject }: FixtureStage): Promise<void> {
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    const [email, password] = [`${role}@fixture.example`, `the ${role} of the fixture`];
    const added = await mutate<{ member: { user: { id: string } } }>(
      ours.owner,
      'addMember',
      'AddMemberInput',
      { email, password, role },
      'member { user { id } }',
    );
    const session = await signIn(server.baseUrl, { email, password });
    await changePassword(session.client, password, `${password}, changed`);
    fixture[`${role.toUpperCase()}_JWT`] = session.token;
    if (role === 'viewer') fixture.VIEWER_ID = added.member.user.id;
  }

  const gone = { email: 'gone@fixture.example', password: 'gone from the fixture', role: 'editor' };
  const { member } = await mutate<{ member: { user: { id: string } } }>(
    ours.owner,
    'addMember',
    'AddMemberInput',
    gone,
    'member { user { id } }',
  );
  await mutate(ours.owner, 'removeMember', 'RemoveMemberInput', { userId: member.user.id }, '__typename');
  fixture.DELETED_USER_ID = member.user.id;

  const token = await mutate<{ token: string; apiToken: { id: string } }>(
    ours.owner,
    'createApiToken',
    'CreateApiTokenInput',
    { name: 'revoked', role: 'editor' },
    'token apiToken { id }',
  );
  await mutate(ours.owner, 'revokeApiToken', 'IdInput', { id: token.apiToken.id });
  fixture.REVOKED_JWT = token.token;

  const revoked = await liveKey(ours.owner, ours.projectId);
  await mutate(ours.owner, 'revokeApiKey', 'IdInput', { id: revoked.key.id });
  fixture.KEY_REVOKED = revoked.secret;
  fixture.KEY_RATE = (await liveKey(ours.owner, ours.projectId)).secret;

  const deleted = await extraProject('Deleted');
  await deleteProject(server.databaseUrl, deleted.projectId);
  fixture.KEY_DELETED_PROJECT = deleted.key;
}

/** Deletes the rows, because no operation deletes a project. */
async function deleteProject(databaseUrl: string, projectId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('delete from project_key where project_id = $1', [projectId]);
    await client.query('delete from project where id = $1', [projectId]);
  } finally {
    await client.end();
  }
}

async function addConfig({ fixture, ours, other }: FixtureStage): Promise<void> {
  const create = async ({ owner, projectId }: FixtureSide, key: string): Promise<{ id: string; versionId: string }> => {
    const input = { projectId, environment: 'live', key, type: 'int', value: '1' };
    const made = await mutate<{ id: string; versions: { nodes: { id: string }[] } }>(
      owner,
      'createConfigItem',
      'CreateConfigItemInput',
      input,
      'id versions(first: 1) { nodes { id } }',
    );
    await mutate(owner, 'updateConfigItem', 'UpdateConfigItemInput', { id: made.id, value: '2' });
    return { id: made.id, versionId: made.versions.nodes[0]?.id ?? '' };
  };
  const item = await create(ours, 'fixture_item');
  const second = await create(ours, 'fixture_second');
  const theirs = await create(other, 'fixture_theirs');
  Object.assign(fixture, {
    ITEM_ID: item.id,
    VERSION_ID: item.versionId,
    OTHER_ITEM_VERSION_ID: second.versionId,
    OTHER_PROJECT_ITEM_ID: theirs.id,
    OTHER_PROJECT_VERSION_ID: theirs.versionId,
  });
}

async function addFlags({ fixture, ours, other, extraProject }: FixtureStage): Promise<void> {
  const create = ({ owner, projectId }: FixtureSide, key: string, environment = 'live') =>
    mutate(owner, 'createFlag', 'CreateFlagInput', { projectId, environment, key });
  fixture.FLAG_KEY = 'fixture_flag';
  fixture.FLAG_ID = (await create(ours, 'fixture_flag')).id;
  const archived = await create(ours, 'fixture_archived');
  await mutate(ours.owner, 'archiveFlag', 'FlagIdInput', { flagId: archived.id });
  fixture.ARCHIVED_FLAG_KEY = 'fixture_archived';
  await create(ours, 'fixture_test_only', 'test');
  fixture.TEST_ONLY_FLAG_KEY = 'fixture_test_only';
  fixture.OTHER_PROJECT_FLAG_ID = (await create(other, 'fixture_their_flag')).id;
  fixture.OTHER_PROJECT_FLAG_KEY = 'fixture_their_flag';

  const gated = await extraProject('Gated');
  const halted = await create(gated, 'fixture_halted');
  await mutate(gated.owner, 'haltFlag', 'HaltFlagInput', { flagId: halted.id, reason: 'halted before the gate' });
  await mutate(gated.owner, 'updateProject', 'UpdateProjectInput', {
    id: gated.projectId,
    disabledModules: ['switch'],
  });
  fixture.KEY_SWITCH_GATED = gated.key;
  fixture.GATED_HALTED_FLAG_KEY = 'fixture_halted';
}

/** A project with an event quota of one, which is then used up by one event. */
async function addQuota({ fixture, ours, extraProject }: FixtureStage): Promise<void> {
  const full = await extraProject('Full');
  const plan = { projectId: full.projectId, plan: 'hobby', overrides: { events: 1 } };
  await mutate(ours.owner, 'setProjectPlan', 'SetProjectPlanInput', plan, '__typename');
  const event = { event_name: 'the only one', distinct_id: 'fixture-user' };
  const answer = await full.owner.withKey(full.key).post('/api/v1/track', event);
  if (answer.status !== 200) throw new Error(`track answered ${answer.status} ${answer.text}`);
  fixture.KEY_EVENT_QUOTA_FULL = full.key;
}

async function addArtifacts({ server, fixture, ours, other }: FixtureStage): Promise<void> {
  const upload = async ({ owner, projectId }: FixtureSide, name: string): Promise<{ id: string; url: string }> => {
    const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', file: name };
    const file = { name: `${name}.map`, bytes: JSON.stringify(map) };
    const fields = { project_id: projectId, kind: 'js_sourcemap', release: 'fixture' };
    const answer = await uploadSymbols(owner, file, fields);
    if (answer.status !== 201) throw new Error(`upload answered ${answer.status} ${answer.text}`);
    const { id } = (answer.body as { artifact: { id: string } }).artifact;
    const link = await owner.graphql<{ symbolDownloadUrl: string }>('query($id: ID!) { symbolDownloadUrl(id: $id) }', {
      id,
    });
    return { id, url: new URL(link.symbolDownloadUrl, server.baseUrl).href };
  };
  const artifact = await upload(ours, 'fixture.js');
  const theirs = await upload(other, 'theirs.js');
  Object.assign(fixture, {
    ARTIFACT_ID: artifact.id,
    SIGNED_URL: artifact.url,
    OTHER_PROJECT_ARTIFACT_ID: theirs.id,
    OTHER_SIGNED_URL: theirs.url,
  });
}

/** A subscription whose receiver answers 410, so that the first delivery becomes a dead letter at once. */
async function addDeadLetter({ fixture, ours, other }: FixtureStage): Promise<void> {
  const receiver = createServer((_request, response) => response.writeHead(410).end());
  const url = `${await openLocally(receiver)}/`;
  try {
    const subscribe = ({ owner, projectId }: FixtureSide) =>
      mutate<{ subscription: { id: string } }>(
        owner,
        'createWebhookSubscription',
        'CreateWebhookSubscriptionInput',
        { projectId, url, patterns: ['config.*'] },
        'subscription { id }',
      );
    fixture.OTHER_PROJECT_SUBSCRIPTION_ID = (await subscribe(other)).subscription.id;
    await subscribe(ours);
    const input = {
      projectId: ours.projectId,
      environment: 'live',
      key: 'fixture_dead_letter',
      type: 'int',
      value: '1',
    };
    await mutate(ours.owner, 'createConfigItem', 'CreateConfigItemInput', input);
    fixture.DEAD_LETTER_ID = await firstDeadLetter(ours);
  } finally {
    receiver.close();
  }
}

async function firstDeadLetter({ owner, projectId }: FixtureSide): Promise<string> {
  return until('a dead letter', async () => {
    const { deadLetters } = await owner.graphql<{ deadLetters: { nodes: { id: string }[] } }>(
      'query($projectId: ID!) { deadLetters(projectId: $projectId) { nodes { id } } }',
      { projectId },
    );
    return deadLetters.nodes[0]?.id;
  });
}
