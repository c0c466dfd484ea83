import { randomBytes } from 'node:crypto';
import { Client as Database } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type RunningServer, startRunningServer } from './running-server.js';

const x = suite('secrets');
let database: TestDatabase;
let server: RunningServer;

/** What must never be written down, by its description. */
const secrets = new Map<string, string>();
const keep = (name: string, value = ''): string => {
  if (value !== '') secrets.set(`${name} ${secrets.size}`, value);
  return value;
};
const canary = (name: string): string => keep(name, `canary${randomBytes(16).toString('hex')}`);

x.before(async () => {
  database = await createTestDatabase();
  server = await startRunningServer({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    METRICS_TOKEN: canary('metrics token'),
  });
});
x.after(async () => {
  await server.process.stop();
  await database.drop();
});

const attempt = (client: Client, query: string, input: Record<string, unknown>) =>
  client.graphql<Record<string, Record<string, string>>>(query, { input }).catch(() => undefined);

/** Uses every kind of secret correctly and incorrectly. */
async function useThemAll(): Promise<void> {
  const { owner, process, projectId } = server;
  const anonymous = new Client(process.url);
  const email = `${canary('e-mail address')}@example.com`;
  const password = canary('password');
  await attempt(owner, 'mutation($input: AddMemberInput!) { addMember(input: $input) { __typename } }', {
    email,
    password,
    role: 'editor',
  });
  const signIn = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
  const session = await attempt(anonymous, signIn, { email, password });
  keep('access token', session?.signIn?.token);
  await attempt(anonymous, signIn, { email, password: canary('wrong password') });
  await attempt(anonymous, signIn, { email: [email], password: { wrong: password } });
  const member = anonymous.withToken(session?.signIn?.token ?? '');
  const change = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { id } }';
  await attempt(member, change, { currentPassword: password, newPassword: canary('new password') });
  const key = await attempt(owner, 'mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }', {
    projectId,
    environment: 'live',
  });
  keep('project key', key?.createApiKey?.secret);
  const deploy = 'mutation($input: CreateDeployTokenInput!) { createDeployToken(input: $input) { secret } }';
  const deployToken = await attempt(owner, deploy, { projectId, name: 'ci' });
  keep('deploy token', deployToken?.createDeployToken?.secret);
  const mint = 'mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }';
  const apiToken = await attempt(owner, mint, { name: 'bot', role: 'viewer' });
  keep('api token', apiToken?.createApiToken?.token);

  for (const secret of secrets.values()) {
    await anonymous.withKey(secret).post('/api/v1/batch', { operations: [] });
    await anonymous.withToken(secret).get(`/api/v1/config/items/${projectId}/versions`);
    await anonymous.withKey(secret).post('/api/v1/batch', `{"${secret}`);
    await anonymous.graphql(`{ ${secret} }`).catch(() => {});
    await anonymous.get(`/${secret}`, { cookie: secret, authorization: `Basic ${secret}` });
  }
  const live = anonymous.withKey(key?.createApiKey?.secret ?? '');
  const payload = { event_name: 'signed up', distinct_id: email, properties: { email, password } };
  await live.post('/api/v1/batch', { operations: [{ type: 'track', payload }] });
  await live.post('/api/v1/batch', { operations: [{ type: 'track', payload: { distinct_id: email } }] });
}

x('appear in no log line, however the server fails', async () => {
  await useThemAll();
  for (const kind of ['access token', 'project key', 'deploy token', 'api token']) {
    assert.ok(
      [...secrets.keys()].some((name) => name.startsWith(kind)),
      kind,
    );
  }
  const { process } = server;
  const client = new Database({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ text: string }>('select e::text as text from event_log e');
  await client.query('alter table app_user rename to user_away');
  await client.query('alter table event rename to event_away');
  await useThemAll();
  await client.query('alter table user_away rename to app_user');
  await client.query('alter table event_away rename to event');
  await client.end();

  const output = process.output();
  assert.match(output, /a GraphQL operation failed|a request failed/);
  for (const [name, secret] of secrets) {
    const at = output.indexOf(secret);
    assert.is(at, -1, `the ${name} is in the log: …${output.slice(Math.max(0, at - 600), at + 100)}`);
    if (name.startsWith('e-mail')) continue;
    for (const { text } of rows) assert.not(text.includes(secret), `the ${name} is in an event: ${text}`);
  }
});

x('are stored hashed or not at all', async () => {
  const client = new Database({ connectionString: database.url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const kept: string[] = [];
  for (const { name } of tables) {
    if (/event(?!_log)|person/.test(name)) continue;
    const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
    for (const [what, secret] of secrets) {
      if (what.startsWith('e-mail')) continue;
      if (rows.some(({ text }) => text.includes(secret))) kept.push(`${what} in ${name}`);
    }
  }
  await client.end();
  assert.equal(kept, []);
});

x.run();
