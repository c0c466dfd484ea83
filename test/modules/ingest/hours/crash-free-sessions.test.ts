import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { DAY_MS } from '../../../../src/kernel/values/durations.js';
import { buildProject } from '../../../support/factories/factories.js';
import { worldSuite } from '../../../support/factories/world-suite.js';

const sessions = worldSuite('sessions without a crash');
const { here } = sessions;
sessions.before.each(async () => {
  here.world = await buildProject(here.world);
});

interface Started {
  id: string;
  at: Date;
  release: string | null;
  person: string;
}

const ago = (ms: number): Date => new Date(here.test.clock.now().getTime() - ms);

async function begin({ id, at, release, person }: Started): Promise<void> {
  const payload = {
    event_name: 'session_start',
    distinct_id: person,
    timestamp: at.toISOString(),
    properties: { session_id: id, release },
  };
  const { status } = await here.world.live.post('/api/v1/track', payload);
  assert.is(status, 200);
}

async function started(ms: number, release: string | null, person = 'somebody'): Promise<Started> {
  const session = { id: randomUUID(), at: ago(ms), release, person };
  await begin(session);
  return session;
}

async function crash(session: Started, level = 'fatal'): Promise<void> {
  const { body } = await here.world.live.post('/api/catch/events', {
    event_id: randomUUID(),
    level,
    platform: 'javascript',
    release: 'of the crash',
    distinct_id: session.person,
    message: 'It broke',
    session: { session_id: session.id, started_at: session.at.toISOString(), release: session.release },
  });
  assert.is((body as { accepted: number }).accepted, 1);
}

interface Health {
  sessions: number;
  crashed: number;
  crashFree: number | null;
  days: { sessions: number; crashed: number }[];
  releases: { release: string | null; sessions: number; crashed: number; crashFree: number | null }[];
}

async function health(days = 3, environment = 'live'): Promise<Health> {
  const { crashFreeSessions } = await here.world.owner.client.graphql<{ crashFreeSessions: Health }>(
    `query($p: ID!, $e: Environment!, $days: Int!) { crashFreeSessions(projectId: $p, environment: $e, days: $days) {
       sessions crashed crashFree days { at sessions crashed } releases { release sessions crashed crashFree } } }`,
    { p: here.world.projectId, e: environment, days },
  );
  return crashFreeSessions;
}

sessions('reports nothing if no client reports sessions', async () => {
  const now = here.test.clock.now().getTime();
  assert.equal(await health(1), {
    ...{ sessions: 0, crashed: 0, crashFree: null, releases: [] },
    days: [{ at: new Date(now - (now % DAY_MS)).toISOString(), sessions: 0, crashed: 0 }],
  });
});

sessions('counts a crashed session once, on the day and in the release in which it began', async () => {
  const broken = await started(DAY_MS, '1.0');
  for (let left = 3; left > 0; left--) await started(DAY_MS, '1.0');
  const caught = await started(0, '1.1');
  await started(0, null);
  await crash(broken);
  await crash(broken);
  await crash(caught, 'error');
  const { days, releases, ...all } = await health();
  assert.equal(all, { sessions: 6, crashed: 1, crashFree: 1 - 1 / 6 });
  assert.equal(
    days.map((day) => [day.sessions, day.crashed]),
    [
      [0, 0],
      [4, 1],
      [2, 0],
    ],
  );
  assert.equal(releases[0], { release: '1.0', sessions: 4, crashed: 1, crashFree: 0.75 });
  assert.equal(
    new Set(releases.slice(1).map(({ release, crashFree }) => `${release} ${crashFree}`)),
    new Set(['1.1 1', 'null 1']),
  );
  assert.is((await health(3, 'test')).sessions, 0);
});

sessions('leaves out session events without a session, and crashes whose session was never reported', async () => {
  await here.world.live.post('/api/v1/track', { event_name: 'session_start', distinct_id: 'somebody', properties: {} });
  await crash({ id: randomUUID(), at: ago(0), release: '1.0', person: 'somebody' });
  const { crashFree, crashed } = await health();
  assert.equal([crashFree, crashed], [null, 0]);
});

sessions('counts the same by the hour as from the events, and again when an hour changes', async () => {
  const first = await started(2 * DAY_MS, '1.0', 'leaver');
  await started(DAY_MS, '1.0');
  await started(0, '1.1');
  await crash(first);
  const before = await health();
  assert.equal([before.sessions, before.crashed], [3, 1]);
  // The events came two hours ago, so that their hour has ended.
  await here.test.app.pool.query(
    `update event set id = (left(event_id_floor(now() - interval '2 hours')::text, 14) || '7' || substr(id::text, 16))::uuid
      where project_id = $1`,
    [here.world.projectId],
  );
  await here.test.app.services.eventHours.count();
  const { rows } = await here.test.app.pool.query(
    'select sum(count)::int as n from session_hour where project_id = $1',
    [here.world.projectId],
  );
  assert.equal(rows, [{ n: 3 }]);
  assert.equal(await health(), before);
  await started(0, '1.1');
  assert.is((await health()).sessions, 4, 'what is not yet counted is added');

  await here.world.owner.client.graphql('mutation($i: PersonInput!) { deletePerson(input: $i) { id } }', {
    i: { projectId: here.world.projectId, environment: 'live', distinctId: 'leaver' },
  });
  const after = await health();
  assert.equal([after.sessions, after.crashed, after.crashFree], [3, 0, 1], 'an erased person is in neither number');
  await here.test.app.services.eventHours.count();
  assert.equal(await health(), after);
});

sessions.run();
