import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Client, type GraphqlError, refusalOf } from '../../support/client.js';
import { buildMember } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { SMALL_MAP, uploadSymbols } from '../../support/symbols/symbol-client.js';

const limits = worldSuite('limits of sign-in', { settings: { TRUSTED_PROXIES: '127.0.0.1' } });

const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
const CHANGE = 'mutation($input: ChangePasswordInput!) { changePassword(input: $input) { id } }';

limits.before(async (context) => {
  context.test.clock.set('2027-01-01T00:00:10Z');
});

/** What a mutation returns to a client at an address: the error code, or else the result. */
async function outcome(client: Client, address: string, query: string, input: object): Promise<unknown> {
  const { body } = await client.post('/graphql', { query, variables: { input } }, { 'x-forwarded-for': address });
  const { data, errors } = body as { data?: object; errors?: GraphqlError[] };
  return errors?.[0]?.extensions.code ?? Object.values(data ?? {})[0];
}

limits('ten wrong passwords from elsewhere do not lock the owner out', async ({ test, world }) => {
  const { email, password } = await buildMember(test, world, 'viewer');
  const anonymous = new Client(test.baseUrl);
  const [elsewhere, home] = ['203.0.113.1', '198.51.100.7'];
  const signIn = (address: string, input: object) => outcome(anonymous, address, SIGN_IN, { email, ...input });
  const session = (await signIn(elsewhere, { password })) as { token: string };
  for (let guess = 0; guess < 10; guess++)
    assert.is(await signIn(elsewhere, { password: 'wrong' }), 'WRONG_CREDENTIALS');
  // Some proxies append the client's port; it is still the same address.
  for (const address of [elsewhere, `${elsewhere}:4711`, `[::ffff:${elsewhere}]:4711`, `[::ffff:${elsewhere}]`])
    assert.is(await signIn(address, { password }), 'TOO_MANY_ATTEMPTS', address);

  const member = anonymous.withToken(session.token);
  const change = { currentPassword: password, newPassword: 'another horse battery' };
  assert.is(await outcome(member, elsewhere, CHANGE, change), 'TOO_MANY_ATTEMPTS', 'it is a password that is tried');
  assert.type(await signIn(home, { password }), 'object');
  assert.type(await outcome(member, home, CHANGE, change), 'object');
});

limits('an API token changes no password', async ({ test, world }) => {
  const member = await buildMember(test, world, 'viewer');
  const input = { currentPassword: member.password, newPassword: 'another horse battery' };
  assert.is((await refusalOf(member.client.graphql(CHANGE, { input }))).code, 'SESSION_REQUIRED');
});

limits('most of forty concurrent sign-ins are refused, and a concurrent upload is stored', async ({ test, world }) => {
  const anonymous = new Client(test.baseUrl);
  const outcomes: unknown[] = [];
  const signIns = Array.from({ length: 40 }, async () => {
    const input = { email: `${randomUUID()}@example.com`, password: 'a guess like any other' };
    outcomes.push(await outcome(anonymous, '203.0.113.9', SIGN_IN, input));
  });
  const fields = { kind: 'js_sourcemap', release: '1.0.0', environment: 'live', project_id: world.projectId };
  const upload = await uploadSymbols(world.owner.client, { name: 'app.js.map', bytes: SMALL_MAP }, fields);
  await Promise.all(signIns);

  assert.is(upload.status, 201, upload.text);
  const refused = outcomes.filter((code) => code === 'TOO_BUSY').length;
  assert.ok(refused >= 20, `${refused} were refused; two run and six of one address wait`);
  assert.is(outcomes.filter((code) => code === 'WRONG_CREDENTIALS').length, 40 - refused);
});

limits.run();
