import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { buildProject } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';

const KIB = 1024;

const x = worldSuite('large bodies of crash events');
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
});

interface Stored {
  extra: Record<string, unknown>;
  tags: Record<string, unknown>;
  breadcrumbs: { n: number }[];
  message: string;
}

async function stored(): Promise<Stored[]> {
  const { rows } = await here.test.app.pool.query<{ payload: Stored }>(
    'select payload from crash_event where project_id = $1 order by title',
    [here.world.projectId],
  );
  return rows.map(({ payload }) => payload);
}

const crash = (message: string, more: object = {}) => ({ event_id: randomUUID(), message, ...more });

x('are read like small ones', async () => {
  const events = [
    crash('a', { tags: { t: 'é\u0000' }, timestamp: '2026-11-01T10:00:00+02:00', release: 'r', distinct_id: 'u' }),
    crash('b', { exception: { type: 'T', value: 'v', frames: [{ function: 'f', line: 3 }] }, extra: { k: [1, null] } }),
    { event_id: 'no', message: 'c' },
    7,
    crash('d', { timestamp: 'never' }),
  ];
  const shown = `select title, level, platform, release, distinct_id, occurred_at = received_at as now, payload from crash_event
                  where project_id = $1 order by title`;
  const answers: unknown[] = [];
  const rows: unknown[] = [];
  for (const junk of ['', 'x'.repeat(300 * KIB)]) {
    here.world = await buildProject(here.world);
    const answer = await here.world.live.post('/api/catch/events', { junk, events });
    answers.push([answer.status, answer.body]);
    rows.push((await here.test.app.pool.query(shown, [here.world.projectId])).rows);
  }
  assert.equal(answers[1], answers[0]);
  assert.equal((answers[0] as [number, { accepted: number }])[1].accepted, 2);
  assert.equal(rows[1], rows[0]);
});

x('without content are refused like small ones', async () => {
  const long = 'x'.repeat(300 * KIB);
  for (const junk of ['', long]) {
    for (const body of [
      `["${junk}"]`,
      `{"events":[],"junk":"${junk}"}`,
      `{"events":{"${junk}":1}}`,
      `{"junk":"${junk}`,
    ]) {
      const answer = await here.world.live.post('/api/catch/events', body);
      assert.equal([answer.status, (answer.body as { error: string }).error], [400, 'invalid_body'], body.slice(0, 40));
    }
  }
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json', 'x-api-key': here.world.keys.live };
  const answerTo = async (text: string) => {
    const answer = await fetch(`${here.test.baseUrl}/api/catch/events`, {
      method: 'POST',
      headers,
      body: gzipSync(text),
    });
    return [answer.status, ((await answer.json()) as { error: string }).error];
  };
  assert.equal(await answerTo(`{"events":[${'{},'.repeat(1_000)}{}]}`), [400, 'invalid_body']);
  assert.equal(await answerTo(`{"events":[${'{},'.repeat(1_500_000)}{}]}`), [413, 'payload_too_large']);
  const tooMany = JSON.stringify(crash('many', { extra: [] })).replace('[]', `[${'0,'.repeat(1_500_000)}0]`);
  assert.equal(await answerTo(tooMany), [413, 'payload_too_large']);
  const small = JSON.stringify(crash('small', { tags: { t: 'y'.repeat(200 * KIB) } }));
  assert.equal(await answerTo(`{"events":[${`${small},`.repeat(12)}${tooMany}]}`), [413, 'payload_too_large']);
  assert.equal(await stored(), []);
});

x('may be one event alone', async () => {
  const { status, body } = await here.world.live.post(
    '/api/catch/events',
    crash('one', { extra: { text: 'z'.repeat(30 * KIB * KIB), small: 1 }, tags: { wide: '\u4e00'.repeat(400 * KIB) } }),
  );
  assert.equal([status, body], [200, { accepted: 1, rejected: 0, reject_reasons: [] }]);
  assert.equal(
    (await stored()).map(({ extra, tags }) => [extra, tags]),
    [[{ small: 1 }, {}]],
  );
});

x('keep as much of each event as allowed, with the newest breadcrumbs and the first flags', async () => {
  const text = 'y'.repeat(100 * KIB);
  const breadcrumbs = Array.from({ length: 5 }, (_, n) => ({ n, text }));
  const flags = { f: text.slice(0, 60 * KIB) };
  const more = { extra: { a: text, b: text, small: 1, flags }, tags: { a: text, b: 'b' }, breadcrumbs };
  const answer = await here.world.live.post('/api/catch/events', crash('large', more));
  assert.equal(answer.body, { accepted: 1, rejected: 0, reject_reasons: [] });
  const [event] = await stored();
  assert.equal(Object.keys(event?.extra ?? {}), ['a', 'flags', 'small']);
  assert.equal(Object.keys(event?.tags ?? {}), ['a', 'b']);
  assert.equal(
    event?.breadcrumbs.map(({ n }) => n),
    [3, 4],
  );
});

x.run();
