import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { App } from '../app.js';
import type { UserActor } from '../kernel/actor.js';
import { type Context, systemCaller } from '../kernel/context.js';
import { newUuid } from '../kernel/ids.js';
import type { KeyScope } from '../modules/access/keys/key-scopes.js';
import { Organization } from '../modules/access/projects/organization.entity.js';
import { openDataFolder } from '../storage/embedded/data-folder.js';
import { writeWhole } from '../storage/objects/durable-files.js';
import { createSamples, type Samples } from './first-run-samples.js';

const OWNER_EMAIL = 'owner@example.com';
const TOKEN_DAYS = 365;

interface FirstRunFile {
  base_url: string;
  graphql_url: string;
  playground_url: string;
  demo_url: string;
  organization_id: string;
  project_id: string;
  owner: { email: string; password: string };
  tokens: { owner: string };
  /** `demo` is shown to every visitor by `/demo`: it can do what browsers need, but not halt. */
  api_keys: { live: string; test: string; demo: string };
  deploy_token: string;
  sample: Samples;
}

/**
 * On an empty database, creates an organization, its owner, a project "Demo" with keys and sample data. Prints how to try them, and keeps
 * them in `first-run.json` (mode 0600). Processes that start together on one database do it once. Throws `SettingError` if the file can't
 * be written, and then creates nothing, since nobody could sign in.
 */
export async function firstRun(app: App, baseUrl: string, say: (line: string) => void): Promise<void> {
  const { dataDir } = app.options.env;
  const path = join(dataDir, 'first-run.json');
  const made = await app.tx.write(systemCaller('first-run'), async (ctx) => {
    await ctx.em.execute('select pg_advisory_xact_lock(7104418226)');
    const [row] = await ctx.em.execute<{ empty: boolean }[]>('select not exists (select 1 from organization) as empty');
    if (!row?.empty) return null;
    await openDataFolder(dataDir, 0o700);
    const demo = await createDemo(app, ctx, baseUrl);
    await writeWhole(path, `${JSON.stringify(demo, null, 2)}\n`);
    return demo;
  });
  if (made) for (const line of tryIt(made, path)) say(line);
}

async function createDemo(app: App, ctx: Context, baseUrl: string): Promise<FirstRunFile> {
  const { members, projects, projectKeys, deployTokens, apiTokens } = app.services;
  const password = randomBytes(15).toString('base64url');
  const organization = ctx.em.create(Organization, { name: 'Demo organization', createdAt: ctx.now() });
  const account = { organizationId: organization.id, email: OWNER_EMAIL, password, role: 'owner' } as const;
  const { user } = await members.enrol(ctx, account);
  await ctx.em.flush();
  const owner: UserActor = {
    kind: 'user',
    userId: user.id,
    email: user.email,
    organizationId: organization.id,
    credential: 'session',
    grantedRole: 'owner',
    roleCeiling: 'owner',
    projectId: null,
    tokenId: newUuid(),
  };
  const asOwner = ctx.as(owner);
  const project = await projects.create(asOwner, { name: 'Demo' });
  await ctx.em.flush();
  const key = (environment: 'live' | 'test', name: string, scopes?: readonly KeyScope[]) =>
    projectKeys.create(asOwner, { projectId: project.id, environment, name, ...(scopes && { scopes: [...scopes] }) });
  const live = await key('live', 'Demo live');
  const test = await key('test', 'Demo test');
  const demo = await key('live', 'Demo page', ['ingest', 'decide', 'survey']);
  const deploy = await deployTokens.create(asOwner, { projectId: project.id, name: 'Demo deploys' });
  const token = await apiTokens.create(asOwner, { name: 'First run', role: 'owner', expiresInDays: TOKEN_DAYS });
  return {
    base_url: baseUrl,
    graphql_url: `${baseUrl}/graphql`,
    playground_url: `${baseUrl}/playground`,
    demo_url: `${baseUrl}/demo`,
    organization_id: organization.id,
    project_id: project.id,
    owner: { email: OWNER_EMAIL, password },
    tokens: { owner: token.token },
    api_keys: { live: live.secret, test: test.secret, demo: demo.secret },
    deploy_token: deploy.secret,
    sample: await createSamples(app, asOwner, project.id),
  };
}

/** Shows no secrets, since a process's output ends up in logs. */
function tryIt(made: FirstRunFile, path: string): string[] {
  const kept = (name: string) => `$(node -p 'require("${path}").${name}')`;
  return [
    '',
    'Your database was empty, so we created a demo project. Try it:',
    '',
    `  1. Open ${made.demo_url} to see flags change, a survey pop up and a crash arrive.`,
    `  2. Open ${made.base_url} and sign in as ${made.owner.email} with the password in`,
    `     ${path}. Try GraphQL at ${made.playground_url}.`,
    '  3. List the versions of its sample config item:',
    `     curl -H "Authorization: Bearer ${kept('tokens.owner')}" \\`,
    `       ${made.base_url}/api/v1/config/items/${made.sample.config_item_id}/versions`,
    '  4. See what an app would receive:',
    `     KEY="${kept('api_keys.live')}"`,
    `     curl -H "x-api-key: $KEY" "${made.base_url}/api/v1/handshake?distinct_id=ada"`,
    '  5. Send an event, and answer the sample survey:',
    `     curl -H "x-api-key: $KEY" ${made.base_url}/api/v1/track \\`,
    `       -d '{"event_name":"signed up","distinct_id":"ada"}'`,
    `     curl -H "x-api-key: $KEY" ${made.base_url}/api/pulse/surveys/${made.sample.survey_slug}`,
    '',
    `Keys, tokens, ids and the password are in ${path}.`,
    '',
  ];
}
