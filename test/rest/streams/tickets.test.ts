import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { EventStream } from '../../support/event-stream.js';
import { buildKey, buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { type LogLine, openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const x = suite<{ test: TestApp; world: World; log: LogLine[] }>('tickets of streams');

x.before(async (context) => {
  context.log = [];
  context.test = await openTestApp({ onLog: (line) => context.log.push(line) });
  context.world = await buildWorld(context.test);
});
x.after(({ test }) => test.close());

interface Ticket {
  ticket: string;
  expires_at: string;
  url: string;
}

const ticketOf = async (client: Client): Promise<Ticket> =>
  (await client.post('/api/v1/stream/ticket', '')).body as Ticket;

x('a ticket in the URL alone opens the stream of its key', async ({ test, world }) => {
  const ticket = await ticketOf(world.live);
  assert.not.ok(ticket.url.includes('sk_'));
  const left = Date.parse(ticket.expires_at) - test.clock.now().getTime();
  assert.ok(left > 3_500_000 && left <= 7_200_000, `${left} ms`);
  assert.equal(await ticketOf(world.live), ticket, 'the same within its hour');
  for (const path of [ticket.url, `/ofrep/v1/stream?ticket=${ticket.ticket}`]) {
    const stream = await EventStream.open(test.baseUrl + path);
    assert.is(stream.status, 200);
    stream.close();
  }
  const anonymous = new Client(test.baseUrl);
  assert.is((await anonymous.get('/api/v1/stream')).status, 401);
});

x('a modified ticket, or one from another server, opens nothing', async ({ test, world }) => {
  const { ticket } = await ticketOf(world.live);
  const foreign = await ticketOf((await buildProject(world)).live);
  const [key = '', expiry = '', signature = ''] = ticket.split('.');
  const [otherKey = ''] = foreign.ticket.split('.');
  const later = (Number.parseInt(expiry, 36) + 3_600).toString(36);
  const pass = test.app.services.refetchPasses.issue({ projectId: world.projectId, environment: 'live' });
  const forged = [
    '',
    'x',
    '..',
    `${otherKey}.${expiry}.${signature}`,
    `${key}.${later}.${signature}`,
    `${ticket}A`,
    pass,
  ];
  const anonymous = new Client(test.baseUrl);
  for (const one of forged) {
    for (const path of ['/api/v1/stream', '/ofrep/v1/stream']) {
      const answer = await anonymous.get(`${path}?ticket=${one}`);
      assert.is(answer.status, 401, one);
      assert.is((answer.body as { error: string }).error, 'invalid_ticket');
      assert.not.ok(one !== '' && one !== 'x' && one !== '..' && answer.text.includes(one), 'no echo of the ticket');
    }
  }
  assert.is((await anonymous.get(`/api/v1/handshake?ticket=${ticket}`)).status, 401, 'valid only for streams');
});

x("a ticket is bound by its key's origins and scopes", async ({ test, world }) => {
  const closed = await buildProject(world);
  const { url } = await ticketOf(closed.live);
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: { id: closed.projectId, authorizedOrigins: ['https://app.example.com'], authorizedAddresses: ['10.0.0.1'] },
  });
  const statusFrom = async (path: string, headers: Record<string, string>) =>
    (await new Client(test.baseUrl).get(path, headers)).status;
  assert.is(await statusFrom(url, { origin: 'https://evil.example.com' }), 403);
  assert.is(await statusFrom(url, {}), 403);
  assert.is(await statusFrom(url, { origin: 'https://app.example.com' }), 200);
  const noDecisions = world.live.withKey(await buildKey(world.owner, world.projectId, 'live', ['ingest']));
  assert.is((await noDecisions.post('/api/v1/stream/ticket', '')).status, 403);
  assert.is((await noDecisions.get('/api/v1/stream')).status, 403);
});

x('a stream ends when its key is revoked or its origin is no longer allowed', async ({ test, world }) => {
  const project = await buildProject(world);
  const { url } = await ticketOf(project.live);
  const byTicket = await EventStream.open(test.baseUrl + url);
  const byKey = await EventStream.open(`${test.baseUrl}/ofrep/v1/stream`, { 'x-api-key': project.keys.live });
  const other = await EventStream.open(`${test.baseUrl}/api/v1/stream`, { 'x-api-key': project.keys.test });
  const { apiKeys } = await world.owner.client.graphql<{ apiKeys: { nodes: { id: string; environment: string }[] } }>(
    'query($p: ID!) { apiKeys(projectId: $p) { nodes { id environment } } }',
    { p: project.projectId },
  );
  await world.owner.client.graphql('mutation($i: IdInput!) { revokeApiKey(input: $i) { id } }', {
    i: { id: apiKeys.nodes.find(({ environment }) => environment === 'live')?.id },
  });
  await byTicket.end();
  await byKey.end();
  assert.is(other.ended, false);
  assert.is((await new Client(test.baseUrl).get(url)).status, 401);
  await world.owner.client.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
    i: { id: project.projectId, authorizedAddresses: ['10.0.0.1'] },
  });
  await other.end();
});

x('a ticket expires, but streams opened with it continue', async ({ test, world }) => {
  const { url } = await ticketOf(world.live);
  const stream = await EventStream.open(test.baseUrl + url);
  await stream.next('ready');
  test.clock.advance(7_200_000);
  assert.is((await new Client(test.baseUrl).get(url)).status, 401);
  assert.not.equal((await ticketOf(world.live)).url, url);
  assert.is(stream.ended, false);
  stream.close();
});

x('no ticket or pass appears in the log', async ({ test, world, log }) => {
  const { url, ticket } = await ticketOf(world.live);
  const before = log.length;
  const { pool } = test.app;
  const query = pool.query.bind(pool);
  // An unexpected failure while a stream is being opened.
  pool.query = () => Promise.reject(new Error('broken'));
  const answer = await new Client(test.baseUrl).get(url).finally(() => {
    pool.query = query;
  });
  assert.is(answer.status, 500);
  const line = await until('a line in the log', () => log.slice(before).find(({ msg }) => msg === 'a request failed'));
  assert.ok(line.requestId);
  assert.not.ok(JSON.stringify(log).includes(ticket), 'the ticket is in the log');
  assert.not.ok(answer.text.includes(ticket));
});

x.run();
