import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../../harness/server-process.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { Client } from '../../support/client.js';
import { createTestDatabase } from '../../support/database.js';
import { EventStream } from '../../support/event-stream.js';
import { Listening } from '../../support/subscription.js';
import { until } from '../../support/until.js';

const x = suite('streams of two processes');

interface Pair {
  servers: [ServerProcess, ServerProcess];
  databaseUrl: string;
  key: string;
  projectId: string;
  owner: { token: string };
  /** Halts the flag or resumes it, through the first process. */
  change(): Promise<void>;
}

async function withPair(redisUrl: string | null, work: (pair: Pair) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    ROLE: 'api',
    NODE_ENV: 'test',
    JWT_SECRET: 'one secret for all processes of this test',
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
  };
  const servers: ServerProcess[] = [];
  try {
    const first = await startServerProcess({ env });
    servers.push(first, await startServerProcess({ env: { ...env, FIRST_RUN: 'off' } }));
    const { api_keys: keys, sample, tokens, project_id: projectId } = await first.firstRun();
    const desk = new Client(first.url);
    let haltedId: string | null = null;
    await work({
      servers: servers as Pair['servers'],
      databaseUrl: database.url,
      key: keys.live,
      projectId,
      owner: { token: tokens.owner },
      async change() {
        const answer = haltedId
          ? await desk.withToken(tokens.owner).post(`/api/v1/switch/flags/${haltedId}/resume`, {})
          : await desk
              .withKey(keys.live)
              .post('/api/switch/halt-webhook', { flag_key: sample.flag_key, reason: 'test' });
        assert.is(answer.status, 200, answer.text);
        haltedId = haltedId ? null : (answer.body as { flag: { id: string } }).flag.id;
      },
    });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}

async function tellsEachOther({ servers, key, change }: Pair): Promise<void> {
  const open = ({ url }: ServerProcess) => EventStream.open(`${url}/api/v1/stream`, { 'x-api-key': key });
  const streams = await Promise.all(servers.map(open));
  for (const stream of streams) await stream.next('ready');
  await change();
  const notices = await Promise.all(streams.map((stream) => stream.next('switch')));
  assert.equal(notices[0]?.data.etag, notices[1]?.data.etag, 'processes agree on what is new');
  assert.is(notices[0]?.id, notices[1]?.id);
  for (const stream of streams) stream.close();
}

async function tellsOfIngestion({ servers, key, projectId, owner }: Pair): Promise<void> {
  const [first, second] = servers;
  const query = 'subscription($p: ID!) { eventIngested(projectId: $p) { event { eventName } } }';
  const listening = new Listening({ baseUrl: second.url }, owner, query, { p: projectId });
  const client = new Client(first.url).withKey(key);
  // Who ingests has to have heard that somebody listens.
  const told = await until('an event that the other process ingested', async () => {
    await client.post('/api/v1/track', { event_name: 'elsewhere', distinct_id: 'u' });
    return listening.results[0];
  });
  assert.equal(told.data, { eventIngested: { event: { eventName: 'elsewhere' } } });
  listening.close();
}

x('a change through one is heard at both, lost messages too, and a stopping one says when to come back', async () => {
  await withPair(null, async (pair) => {
    await tellsEachOther(pair);
    await tellsOfIngestion(pair);
    const [first, second] = pair.servers;
    const path = '/api/v1/stream';
    const headers = { 'x-api-key': pair.key };
    const [here, there] = [
      await EventStream.open(first.url + path, headers),
      await EventStream.open(second.url + path, headers),
    ];
    const { id } = await there.next('ready');
    await here.next('ready');
    await withoutBroadcast(pair.databaseUrl, () => pair.change());
    await there.next('switch');
    await second.stop();
    await there.end();
    assert.ok((there.retry ?? 0) >= 500, 'says when to come back');
    // Another process takes the client on where it was.
    const again = await EventStream.open(first.url + path, { ...headers, 'last-event-id': id });
    await again.next('switch');
    again.close();
    here.close();
  });
});

if (machineHas('redis-server'))
  x('over Redis they do, too', async () => {
    const redis = await RedisServer.start();
    try {
      await withPair(redis.url, async (pair) => {
        await tellsEachOther(pair);
        await tellsOfIngestion(pair);
      });
    } finally {
      await redis.close();
    }
  });

/** Does something while no process hears another: whatever connection they hear by is broken again and again. */
async function withoutBroadcast(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const breakAll = () =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'quarterdeck broadcast' and datname = current_database()`,
    );
  try {
    await breakAll();
    await work();
    await breakAll();
  } finally {
    await client.end();
  }
}

x.run();
