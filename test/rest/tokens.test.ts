import { createHmac, randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Client } from '../support/client.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildMember } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { signIn } from '../support/sign-in.js';

const tokens = worldSuite<{ path: string }>('access tokens');

tokens.before(async (context) => {
  const item = await buildConfigItem(context.world, {});
  context.path = `/api/v1/config/items/${item.id}/versions`;
});

type Claims = Record<string, unknown>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partOf = (token: string, index: number): Claims =>
  JSON.parse(Buffer.from(token.split('.')[index] as string, 'base64url').toString('utf8')) as Claims;

function signed(header: Claims, claims: Claims, secret: string, hash = 'sha256'): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

tokens('signed again with the same secret and claims are accepted', async ({ test, world, path }) => {
  const { token } = world.owner;
  const again = signed(partOf(token, 0), partOf(token, 1), test.jwtSecret);
  assert.is((await new Client(test.baseUrl).withToken(again).get(path)).status, 200);
});

tokens('signed by a process whose clock is ten minutes ahead are accepted', async ({ test, world, path }) => {
  test.clock.advance(600_000);
  const { token } = await signIn(test.baseUrl, world.owner);
  test.clock.advance(-600_000);
  assert.is((await new Client(test.baseUrl).withToken(token).get(path)).status, 200);
});

tokens('forged, expired or foreign ones all get 401 Invalid token', async ({ test, world, path }) => {
  const { token } = world.owner;
  const header = partOf(token, 0);
  const claims = partOf(token, 1);
  const secret = test.jwtSecret;
  const past = Math.floor(Date.now() / 1000) - 10;
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const forged: Record<string, string> = {
    'alg none': `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
    'another secret': signed(header, claims, 'a secret that this server has never seen before'),
    'another hash': signed({ ...header, alg: 'HS512' }, claims, secret, 'sha512'),
    'unknown kid': signed({ ...header, kid: 'unknown' }, claims, secret),
    'critical header': signed({ ...header, crit: ['x-unknown'], 'x-unknown': 1 }, claims, secret),
    expired: signed(header, { ...claims, exp: past }, secret),
    'exp as text': signed(header, { ...claims, exp: '9999999999' }, secret),
    'no exp': signed(header, without('exp'), secret),
    'not yet valid': signed(header, { ...claims, nbf: past + 3_600 }, secret),
    'issued in the future': signed(header, { ...claims, iat: past + 3_600 }, secret),
    'other audience': signed(header, { ...claims, aud: 'evil' }, secret),
    'other issuer': signed(header, { ...claims, iss: 'evil' }, secret),
    'no subject': signed(header, without('sub'), secret),
    'subject is no id': signed(header, { ...claims, sub: "' or 1=1" }, secret),
    'user is gone': signed(header, { ...claims, sub: randomUUID() }, secret),
    'foreign organization': signed(header, { ...claims, org: randomUUID() }, secret),
    'unknown role': signed(header, { ...claims, role: 'god' }, secret),
    'unknown token id': signed(header, { ...claims, jti: randomUUID() }, secret),
    'unknown typ': signed(header, { ...claims, typ: 'refresh' }, secret),
    'a session in the name of a revoked token': signed(
      header,
      { ...claims, typ: 'api_token', jti: randomUUID() },
      secret,
    ),
    'project key': world.keys.live,
  };
  for (const [name, value] of Object.entries(forged)) {
    const { status, text } = await new Client(test.baseUrl).withToken(value).get(path);
    assert.equal({ status, text }, { status: 401, text: '{"error":"Invalid token"}' }, name);
  }
});

tokens('a role in the claims is a ceiling, never a grant', async ({ test, world, path }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const raised = signed(partOf(viewer.token, 0), { ...partOf(viewer.token, 1), role: 'owner' }, test.jwtSecret);
  const rollback = path.replace('/versions', '/rollback');
  const answer = await new Client(test.baseUrl).withToken(raised).post(rollback, {});
  assert.equal({ status: answer.status, text: answer.text }, { status: 403, text: '{"error":"Permission denied"}' });
});

tokens('of a revoked API token stop working at once', async ({ world, path }) => {
  const { createApiToken } = await world.owner.client.graphql<{
    createApiToken: { token: string; apiToken: { id: string } };
  }>('mutation { createApiToken(input: { name: "ci", role: viewer, expiresInDays: 1 }) { token apiToken { id } } }');
  const client = world.owner.client.withToken(createApiToken.token);
  assert.is((await client.get(path)).status, 200);
  await world.owner.client.graphql('mutation($id: ID!) { revokeApiToken(input: { id: $id }) { revokedAt } }', {
    id: createApiToken.apiToken.id,
  });
  assert.is((await client.get(path)).status, 401);
});

tokens('of the API are valid up to the moment at which they are said to expire', async ({ test, world, path }) => {
  test.clock.set(new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 999));
  const { createApiToken } = await world.owner.client.graphql<{
    createApiToken: { token: string; apiToken: { expiresAt: string } };
  }>(
    'mutation { createApiToken(input: { name: "day", role: viewer, expiresInDays: 1 }) { token apiToken { expiresAt } } }',
  );
  const client = new Client(test.baseUrl).withToken(createApiToken.token);
  const end = Date.parse(createApiToken.apiToken.expiresAt);
  for (const [instant, status] of [
    [end - 1, 200],
    [end, 401],
  ] as const) {
    test.clock.set(new Date(instant));
    assert.is((await client.get(path)).status, status);
  }
  test.clock.set(new Date());
});

tokens('of a session last twelve hours to the second, even if a second ends while they are made', async (context) => {
  const { test, world } = context;
  const member = await buildMember(test, world, 'viewer');
  const second = Date.parse('2027-03-01T10:00:01Z');
  // Every reading advances the clock, so that the second ends before each reading once.
  for (let readings = 0; readings < 15; readings++) {
    test.clock.set(new Date(second - readings * 10), 10);
    const { iat, exp } = partOf((await signIn(test.baseUrl, member)).token, 1);
    assert.is(Number(exp) - Number(iat), 43_200, `after ${readings} readings`);
  }
  test.clock.set(new Date());
});

tokens('of a session expire after twelve hours', async ({ test, world, path }) => {
  const member = await buildMember(test, world, 'viewer');
  const { signIn: session } = await new Client(test.baseUrl).graphql<{ signIn: { token: string } }>(
    'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
    { input: { email: member.email, password: member.password } },
  );
  const client = new Client(test.baseUrl).withToken(session.token);
  test.clock.advance(11.9 * 3_600_000);
  assert.is((await client.get(path)).status, 200);
  test.clock.advance(0.2 * 3_600_000);
  assert.is((await client.get(path)).status, 401);
});

tokens.run();
