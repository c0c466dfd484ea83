import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client, refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type TestUser, type World } from '../../support/factories/factories.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const ISSUER = 'https://issuer.example';
const ME = '{ me { email } organizations { nodes { id } } }';

interface Setting {
  test: TestApp;
  world: World;
  keySet: Server;
  key: CryptoKey;
}

const external = suite<Setting>('tokens of an external issuer');

external.before(async (context) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] });
  context.key = privateKey;
  context.keySet = createServer((_, response) => response.setHeader('content-type', 'application/json').end(keys));
  const issuer = await openLocally(context.keySet);
  context.test = await openTestApp({
    settings: { JWKS_URL: `${issuer}/keys`, JWKS_ISSUER: ISSUER },
  });
  context.world = await buildWorld(context.test);
});
external.after(async ({ test, keySet }) => {
  await test.close();
  keySet.close();
});

/** A client with the issuer's token for an email address, issued this many seconds from now. */
async function asPerson({ test, key }: Setting, email: string, claims: object = {}, seconds = 1): Promise<Client> {
  const now = Math.floor(test.clock.now().getTime() / 1000);
  const token = await new SignJWT({ email, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(ISSUER)
    .setAudience('quarterdeck')
    .setSubject('somebody')
    .setIssuedAt(now + seconds)
    .setExpirationTime(now + 3_600)
    .sign(key);
  return new Client(test.baseUrl).withToken(token);
}

const add = ({ owner }: World, email: string) =>
  owner.client.graphql<{ addMember: { temporaryPassword: string } }>(
    'mutation($e: String!) { addMember(input: { email: $e, role: owner }) { temporaryPassword } }',
    { e: email },
  );

external('identify the person in the organizations that added them, without a password', async (setting) => {
  const { test, world } = setting;
  const theirs = await buildWorld(test);
  const email = `${randomUUID()}@example.com`;
  await add(world, email);
  await add(theirs, email);
  const ids = [world.organizationId, theirs.organizationId];
  const client = await asPerson(setting, email.toUpperCase());
  assert.equal(await client.graphql(ME), { me: { email }, organizations: { nodes: ids.map((id) => ({ id })) } });
  const organization = 'query($id: ID!) { organization(id: $id) { id } }';
  const inTheirs = await asPerson(setting, email, { org: ids[1] });
  assert.ok(await inTheirs.graphql(organization, { id: ids[1] }));
  assert.is((await refusalOf(inTheirs.graphql(organization, { id: ids[0] }))).code, 'ORGANIZATION_NOT_FOUND');
  const unverified = await asPerson(setting, email, { email_verified: false });
  assert.is((await refusalOf(unverified.graphql(ME))).code, 'UNAUTHENTICATED');
});

external('an organization they create does not open with a password that another one set', async (setting) => {
  const { test, world } = setting;
  const email = `${randomUUID()}@example.com`;
  const { temporaryPassword: password } = (await add(world, email)).addMember;
  const client = await asPerson(setting, email);
  const { createOrganization } = await client.graphql<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Mine" }) { id } }',
  );
  const signIn = new Client(test.baseUrl).graphql(
    'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
    { input: { email, password, organizationId: createOrganization.id } },
  );
  assert.is((await refusalOf(signIn)).code, 'WRONG_CREDENTIALS');
});

external('issued before a removal stay invalid after the person is added again', async (setting) => {
  const { world } = setting;
  const member: TestUser = await buildMember(setting.test, world, 'viewer');
  const client = await asPerson(setting, member.email);
  assert.ok(await client.graphql(ME));
  await world.owner.client.graphql('mutation($u: ID!) { removeMember(input: { userId: $u }) { id } }', {
    u: member.id,
  });
  setting.test.clock.advance(5_000);
  await add(world, member.email);
  assert.is((await refusalOf(client.graphql(ME))).code, 'UNAUTHENTICATED');
  assert.ok(await (await asPerson(setting, member.email)).graphql(ME));
});

external.run();
