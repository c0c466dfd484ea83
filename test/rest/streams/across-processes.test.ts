import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../../harness/server-process.js';
import { machineHas } from '../../runner/machine.js';
import { RedisServer } from '../../storage/redis-server.js';
import { Client, type RestAnswer } from '../../support/client.js';
import { HeldClockServer } from '../../support/clocks/held-clock-server.js';
import { createTestDatabase } from '../../support/database.js';
import { EventStream } from '../../support/event-stream.js';
import { Listening } from '../../support/subscription.js';
import { until } from '../../support/until.js';

const x = suite('changes in two processes');

interface Place {
  url: string;
}

interface Flags {
  modules: { switch: { flags: Record<string, { value: unknown; reason: string; version: number }> } };
}

interface Pair {
  first: ServerProcess;
  /** Its clock stands still, so nothing it knows expires: it must be notified of everything. */
  second: HeldClockServer;
  databaseUrl: string;
  key: string;
  projectId: string;
  owner: { token: string };
  flagKey: string;
  /** Halts or resumes the flag through one of the processes. */
  change(through: Place): Promise<void>;
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
  const servers: { stop(): Promise<void> }[] = [];
  try {
    const first = await startServerProcess({ env });
    servers.push(first);
    const second = await HeldClockServer.start(new Date(), { ...env, FIRST_RUN: 'off' });
    servers.push(second);
    const { api_keys: keys, sample, tokens, project_id: projectId } = await first.firstRun();
    let haltedId: string | null = null;
    await work({
      first,
      second,
      databaseUrl: database.url,
      key: keys.live,
      projectId,
      owner: { token: tokens.owner },
      flagKey: sample.flag_key,
      async change({ url }) {
        const desk = new Client(url);
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

async function tellsEachOther({ first, second, key, change }: Pair): Promise<void> {
  const open = ({ url }: Place) => EventStream.open(`${url}/api/v1/stream`, { 'x-api-key': key });
  const streams = await Promise.all([first, second].map(open));
  for (const stream of streams) await stream.next('ready');
  await change(first);
  const notices = await Promise.all(streams.map((stream) => stream.next('switch')));
  assert.equal(notices[0]?.data.etag, notices[1]?.data.etag, 'processes agree on what is new');
  assert.is(notices[0]?.id, notices[1]?.id);
  for (const stream of streams) stream.close();
}

/** Halts through one process, and checks that the other, which has no stream, drops the decision it had cached. */
async function decidesHalt({ first, second, key, flagKey, change }: Pair): Promise<void> {
  const other = new Client(second.url).withKey(key);
  const path = '/api/v1/handshake?distinct_id=user-1';
  const decided = ({ body }: RestAnswer) => (body as Flags).modules.switch.flags[flagKey];
  const known = await until('the flag without a halt', async () => {
    const now = await other.get(path);
    return decided(now)?.reason !== 'halted' && now;
  });
  const tag = { 'if-none-match': known.headers.get('etag') ?? '' };
  assert.is((await other.get(path, tag)).status, 304);
  await change(first);
  const answer = await until('the halt', async () => {
    const now = await other.get(path, tag);
    return now.status === 200 && now;
  });
  assert.equal(decided(answer), { value: false, variant: 'off', reason: 'halted', version: 4 });
}

async function tellsOfIngestion({ first, second, key, projectId, owner }: Pair): Promise<void> {
  const query = 'subscription($p: ID!) { eventIngested(projectId: $p) { event { eventName } } }';
  const listening = new Listening({ baseUrl: second.url }, owner, query, { p: projectId });
  const client = new Client(first.url).withKey(key);
  // The ingesting process must have heard that somebody is listening.
  const told = await until('an event that the other process ingested', async () => {
    await client.post('/api/v1/track', { event_name: 'elsewhere', distinct_id: 'u' });
    return listening.results[0];
  });
  assert.equal(told.data, { eventIngested: { event: { eventName: 'elsewhere' } } });
  listening.close();
}

x('a change through one reaches both, despite lost messages, and a stopping one says when to come back', async () => {
  await withPair(null, async (pair) => {
    await tellsEachOther(pair);
    await tellsOfIngestion(pair);
    const { first, second } = pair;
    const path = '/api/v1/stream';
    const headers = { 'x-api-key': pair.key };
    const [here, there] = [
      await EventStream.open(second.url + path, headers),
      await EventStream.open(first.url + path, headers),
    ];
    const { id } = await there.next('ready');
    await here.next('ready');
    await withoutBroadcast(pair.databaseUrl, () => pair.change(second));
    await there.next('switch');
    here.close();
    await decidesHalt(pair);
    await first.stop();
    await there.end();
    assert.ok((there.retry ?? 0) >= 500, 'says when to come back');
    // Another process resumes the client where it was.
    const again = await EventStream.open(second.url + path, { ...headers, 'last-event-id': id });
    await again.next('switch');
    again.close();
  });
});

if (machineHas('redis-server'))
  x('the same over Redis', async () => {
    const redis = await RedisServer.start();
    try {
      await withPair(redis.url, async (pair) => {
        await tellsEachOther(pair);
        await tellsOfIngestion(pair);
        await pair.change(pair.first);
        await decidesHalt(pair);
      });
    } finally {
      await redis.close();
    }
  });

/** Does something while processes cannot hear each other: their listening connections are broken again and again. */
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
