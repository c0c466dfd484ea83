import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { MINUTE_MS } from '../../../src/kernel/values/durations.js';
import { buildWorld } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { openTestApp } from '../../support/test-app.js';

const sessions = worldSuite('sessions in a cookie');
const { here } = sessions;

interface Answer {
  data: Record<string, { userId?: string; expiresAt?: string; email?: string } | null>;
  errors?: { extensions: { code: string } }[];
  cookie: string | null;
}

async function ask(query: string, headers: Record<string, string>, variables = {}): Promise<Answer> {
  const answer = await fetch(`${here.test.baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { ...((await answer.json()) as Omit<Answer, 'cookie'>), cookie: answer.headers.get('set-cookie') };
}

const PREFLIGHT = { 'apollo-require-preflight': 'console' };
const ME = '{ me { email } }';

/** Starts a session and returns its cookie, up to the first semicolon. */
async function begin(
  headers: Record<string, string> = {},
  { email, password }: { email: string; password: string } = here.world.owner,
): Promise<{ cookie: string; whole: string; expiresAt: string }> {
  const answer = await ask(
    'mutation($input: SignInInput!) { signInWithCookie(input: $input) { expiresAt } }',
    { ...PREFLIGHT, ...headers },
    { input: { email, password } },
  );
  const whole = answer.cookie ?? '';
  return { cookie: whole.split(';')[0] ?? '', whole, expiresAt: answer.data?.signInWithCookie?.expiresAt ?? '' };
}

const codeOf = ({ errors }: Answer) => errors?.[0]?.extensions.code;

sessions('no script can read the cookie, no other site can send it, and only GraphQL accepts it', async () => {
  const { whole, cookie } = await begin();
  assert.match(whole, /^quarterdeck_session=[\w.-]+; Path=\/graphql; HttpOnly; SameSite=Strict$/);
  assert.is((await ask(ME, { ...PREFLIGHT, cookie })).data.me?.email, here.world.owner.email);
});

sessions('behind TLS the cookie is never sent unencrypted', async () => {
  const secure = await openTestApp({ settings: { PUBLIC_URL: 'https://deck.example.com' }, unwatched: true });
  const { owner } = await buildWorld(secure);
  const answer = await fetch(`${secure.baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation($input: SignInInput!) { signInWithCookie(input: $input) { expiresAt } }',
      variables: { input: { email: owner.email, password: owner.password } },
    }),
  });
  assert.match(answer.headers.get('set-cookie') ?? '', '; SameSite=Strict; Secure');
  await secure.close();
});

sessions('without the header that other origins cannot send, the cookie is ignored', async () => {
  const { cookie } = await begin();
  assert.is(codeOf(await ask(ME, { cookie })), 'UNAUTHENTICATED');
});

sessions('a request that names an organization is refused if the session is for another', async () => {
  const { cookie } = await begin();
  const { organizations } = await here.world.owner.client.graphql<{ organizations: { nodes: { id: string }[] } }>(
    '{ organizations { nodes { id } } }',
  );
  const own = { ...PREFLIGHT, cookie, 'quarterdeck-organization': organizations.nodes[0]?.id ?? '' };
  assert.is((await ask(ME, own)).data.me?.email, here.world.owner.email);
  const other = { ...own, 'quarterdeck-organization': randomUUID() };
  assert.is(codeOf(await ask(ME, other)), 'UNAUTHENTICATED');
});

sessions('a bearer token takes precedence over the cookie', async () => {
  const { cookie } = await begin();
  assert.is(codeOf(await ask(ME, { ...PREFLIGHT, cookie, authorization: 'Bearer nonsense' })), 'UNAUTHENTICATED');
});

sessions('it is renewed while in use and expires after an hour of inactivity', async () => {
  const { cookie } = await begin();
  assert.is((await ask(ME, { ...PREFLIGHT, cookie })).cookie, null, 'a young token was renewed');
  here.test.clock.advance(50 * MINUTE_MS);
  // A proxy with its own password forwards that password.
  const behindProxy = { ...PREFLIGHT, cookie, authorization: 'Basic cHJveHk6cGFzcw==' };
  const renewed = (await ask(ME, behindProxy)).cookie?.split(';')[0] ?? '';
  assert.match(renewed, 'quarterdeck_session=');
  here.test.clock.advance(50 * MINUTE_MS);
  assert.is(codeOf(await ask(ME, { ...PREFLIGHT, cookie })), 'UNAUTHENTICATED');
  assert.is((await ask(ME, { ...PREFLIGHT, cookie: renewed })).data.me?.email, here.world.owner.email);
});

sessions('it expires after twelve hours, even if active', async () => {
  const begun = here.test.clock.now().getTime();
  let { cookie, expiresAt } = await begin();
  assert.ok(Math.abs(Date.parse(expiresAt) - begun - 12 * 60 * MINUTE_MS) < MINUTE_MS);
  for (let minutes = 0; minutes < 11 * 60 + 40; minutes += 50) {
    here.test.clock.advance(50 * MINUTE_MS);
    const answer = await ask(ME, { ...PREFLIGHT, cookie });
    if (answer.data.me === null) break;
    cookie = answer.cookie?.split(';')[0] ?? cookie;
  }
  here.test.clock.advance(15 * MINUTE_MS);
  assert.is(codeOf(await ask(ME, { ...PREFLIGHT, cookie })), 'UNAUTHENTICATED');
});

sessions('signing out ends this session, so that a copy of its token is useless, but no other session', async () => {
  const [one, other] = [await begin(), await begin()];
  const answer = await ask('mutation { signOut { userId user { id } } }', { ...PREFLIGHT, cookie: one.cookie });
  assert.equal(answer.data.signOut, { userId: here.world.owner.id, user: { id: here.world.owner.id } });
  assert.match(answer.cookie ?? '', /^quarterdeck_session=; .+Max-Age=0$/);
  assert.is(codeOf(await ask(ME, { ...PREFLIGHT, cookie: one.cookie })), 'UNAUTHENTICATED');
  const copy = { authorization: `Bearer ${one.cookie.split('=')[1]}` };
  assert.is(codeOf(await ask(ME, copy)), 'UNAUTHENTICATED');
  assert.is((await ask(ME, { ...PREFLIGHT, cookie: other.cookie })).data.me?.email, here.world.owner.email);
});

sessions('signing in again ends the session of the replaced cookie', async () => {
  const [first, beside] = [await begin(), await begin()];
  const isGood = async (cookie: string) => (await ask(ME, { ...PREFLIGHT, cookie })).data.me !== null;
  await begin({ cookie: first.cookie }, { ...here.world.owner, password: 'a wrong password' });
  assert.is(await isGood(first.cookie), true);
  const second = await begin({ cookie: first.cookie });
  assert.equal(await Promise.all([first, second, beside].map(({ cookie }) => isGood(cookie))), [false, true, true]);
  const stranger = (await buildWorld(here.test)).owner;
  const third = await begin({ cookie: second.cookie }, stranger);
  assert.equal(await Promise.all([second, third].map(({ cookie }) => isGood(cookie))), [false, true]);
  const { rows } = await here.test.app.pool.query<{ kind: string; actor_email: string }>(
    'select kind, actor_email from event_log where organization_id = $1 order by sequence desc limit 1',
    [here.world.organizationId],
  );
  assert.equal(rows, [{ kind: 'access.user.signed_out', actor_email: here.world.owner.email }]);
  const bearer = { authorization: `Bearer ${third.cookie.split('=')[1]}` };
  await begin({ cookie: beside.cookie, ...bearer });
  assert.is((await ask(ME, bearer)).data.me?.email, stranger.email);
  assert.is(await isGood(beside.cookie), true);
});

sessions('a session that several calls end at once ends once', async () => {
  const { cookie } = await begin();
  const signedOut = async () => {
    const { rows } = await here.test.app.pool.query<{ count: number }>(
      "select count(*)::int as count from event_log where organization_id = $1 and kind = 'access.user.signed_out'",
      [here.world.organizationId],
    );
    return Number(rows[0]?.count);
  };
  const before = await signedOut();
  const end = () => ask('mutation { signOut { userId } }', { ...PREFLIGHT, cookie });
  const answers = await Promise.all(Array.from({ length: 10 }, end));
  const codes = new Set(answers.map((answer) => codeOf(answer) ?? answer.data.signOut?.userId));
  codes.delete('UNAUTHENTICATED');
  assert.equal([...codes], [here.world.owner.id]);
  assert.is(await signedOut(), before + 1);
});

sessions('ended sessions are forgotten once none of their tokens could be valid', async () => {
  const { cookie } = await begin();
  await ask('mutation { signOut { userId } }', { ...PREFLIGHT, cookie });
  const count = async () =>
    (await here.test.app.pool.query<{ count: number }>('select count(*)::int as count from ended_session')).rows[0]
      ?.count;
  assert.ok(Number(await count()) > 0);
  here.test.clock.advance(13 * 60 * MINUTE_MS);
  const system = { actor: { kind: 'system', name: 'clean-up' }, requestId: 'test', address: null } as const;
  await here.test.app.tx.write(system, (ctx) => here.test.app.services.sessions.deleteExpired(ctx));
  assert.is(await count(), 0);
});

sessions.run();
