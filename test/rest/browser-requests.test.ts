import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Client } from '../support/client.js';
import { buildProject } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';

let anonymous: Client;

/** What browsers need beyond what servers do. */
const x = worldSuite('requests of browsers');
const { here } = x;
x.before(async () => {
  anonymous = new Client(here.test.baseUrl);
});
x.before.each(async () => {
  here.world = await buildProject(here.world);
});

const event = (more: object = {}) => ({ event_name: 'e', distinct_id: 'user', ...more });
const track = (more: object = {}) => ({ type: 'track', payload: event(more) });

const times = async (): Promise<number[]> => {
  const { rows } = await here.test.app.pool.query<{ at: Date }>(
    'select occurred_at as at from event where project_id = $1 order by id',
    [here.world.projectId],
  );
  return rows.map(({ at }) => at.getTime());
};

x('beacons send the key in the URL, and JSON as plain text', async () => {
  const { id } = await buildSurvey(here.world);
  const bodies: [path: string, status: number, body: object][] = [
    ['/api/v1/batch', 200, { operations: [track()] }],
    ['/api/v1/track', 200, event()],
    ['/api/v1/people', 200, { distinct_id: 'user', properties: { plan: 'pro' } }],
    ['/api/v1/alias', 200, { distinct_id: 'user', alias_id: 'device' }],
    ['/api/catch/events', 200, { event_id: randomUUID(), message: 'broke', platform: 'javascript' }],
    ['/api/pulse/responses', 201, { survey_id: id, answers: { nps: 9 } }],
  ];
  const headers = { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://shop.example' };
  for (const [path, status, body] of bodies) {
    const sent = await anonymous.post(`${path}?api_key=${here.world.keys.live}`, JSON.stringify(body), headers);
    assert.is(sent.status, status, `${path}: ${sent.text}`);
    assert.is((await anonymous.post(`${path}?api_key=sk_live_wrong`, body)).status, 401, path);
    assert.is((await anonymous.post(`${path}?api_key=`, body)).status, 401, path);
    // The header takes precedence, so a wrong one is never rescued by the URL.
    const both = await anonymous.withKey('sk_live_wrong').post(`${path}?api_key=${here.world.keys.live}`, body);
    assert.is(both.status, 401, path);
  }
});

x('a key in the URL only allows ingestion', async () => {
  const key = `api_key=${here.world.keys.live}`;
  for (const path of ['/api/v1/handshake', '/api/pulse/surveys', '/api/pulse/partial?survey_id=a&external_id=b'])
    assert.is((await anonymous.get(`${path}${path.includes('?') ? '&' : '?'}${key}`)).status, 401, path);
  const halt = await anonymous.post(`/api/switch/halt-webhook?${key}`, { flag_key: 'f', reason: 'r' });
  assert.is(halt.status, 401);
});

x('an unsupported method is refused readably for pages wherever they may read the other methods', async () => {
  const refused = async (path: string) => fetch(`${here.test.baseUrl}${path}`, { method: 'PUT' });
  for (const path of ['/api/v1/batch', '/api/v1/handshake', '/api/switch/halt-webhook', '/ofrep/v1/evaluate/flags']) {
    const { status, headers } = await refused(path);
    assert.equal([status, headers.get('access-control-allow-origin')], [405, '*'], path);
    assert.match(headers.get('access-control-expose-headers') ?? '', /x-request-id/);
    assert.ok(headers.get('allow'), path);
  }
  assert.is((await refused('/api/v1/handshake')).headers.get('allow'), 'POST, GET, HEAD');
  assert.is((await refused('/api/v1/batch')).headers.get('allow'), 'POST');
  const desk = await refused('/api/v1/catch/symbols');
  assert.equal([desk.status, desk.headers.get('access-control-allow-origin')], [405, null]);
});

x('a beacon counts towards the limit of its key', async () => {
  here.test.clock.set(new Date(Math.floor(Date.now() / 60_000) * 60_000));
  try {
    for (let sent = 0; sent < 250; sent++) await anonymous.post(`/api/v1/track?api_key=${here.world.keys.live}`, '{');
    const others = await Promise.all(Array.from({ length: 251 }, () => here.world.live.post('/api/v1/track', '{')));
    assert.is(others.filter(({ status }) => status === 429).length, 1);
  } finally {
    here.test.clock.set(new Date());
  }
});

x('sent_at corrects the times of a wrong clock', async () => {
  here.test.clock.set(new Date('2026-06-01T12:00:00.000Z'));
  const at = (instant: string) => Date.parse(instant);
  const sent = (path: string, body: object, sentAt: string) =>
    here.world.live.post(`/api/v1/${path}?sent_at=${encodeURIComponent(sentAt)}`, body);
  try {
    const timestamp = '1970-01-01T00:00:10.000Z';
    await sent('batch', { operations: [track({ timestamp }), track()] }, '1970-01-01T00:01:00Z');
    await sent('track', event({ timestamp: '2030-01-01T00:00:00.000Z' }), '2030-01-01T00:00:30.000Z');
    // Less than a minute is network delay, an invalid time is ignored, and no correction leaves the calendar.
    await sent('track', event({ timestamp: '2026-06-01T11:59:00.000Z' }), '2026-06-01T11:59:10.000Z');
    await sent('track', event({ timestamp: '2026-06-01T11:00:00.000Z' }), 'yesterday');
    await sent('track', event({ timestamp: '0001-01-01T00:00:00.000Z' }), '9999-01-01T00:00:00.000Z');
    assert.equal(await times(), [
      at('2026-06-01T11:59:10.000Z'),
      at('2026-06-01T12:00:00.000Z'),
      at('2026-06-01T11:59:30.000Z'),
      at('2026-06-01T11:59:00.000Z'),
      at('2026-06-01T11:00:00.000Z'),
      at('0001-01-01T00:00:00.000Z'),
    ]);
  } finally {
    here.test.clock.set(new Date());
  }
});

x('sent_at corrects the times of crashes and of the sessions that they ended', async () => {
  here.test.clock.set(new Date('2026-06-01T12:00:00.000Z'));
  const send = async (sentAt: string, times: string[]) => {
    const events = times.map((timestamp) => ({
      event_id: randomUUID(),
      level: 'fatal',
      message: 'It broke',
      timestamp,
      session: { session_id: randomUUID(), started_at: timestamp },
    }));
    const { status, text } = await here.world.live.post(`/api/catch/events?sent_at=${sentAt}`, { events });
    assert.is(status, 200, text);
  };
  const timesIn = async (table: string, column: string): Promise<string[]> => {
    const { rows } = await here.test.app.pool.query<{ at: Date }>(
      `select ${column} as at from ${table} where project_id = $1 order by ${column}`,
      [here.world.projectId],
    );
    return rows.map(({ at }) => at.toISOString());
  };
  try {
    await send('2026-05-30T09:00:00.000Z', ['2026-05-30T08:59:00.000Z']);
    await send('2026-06-02T12:00:00.000Z', ['2026-06-02T11:58:00.000Z']);
    await send('2026-06-01T11:59:10.000Z', ['2026-06-01T11:57:00.000Z']);
    await send('yesterday', ['2026-06-01T11:56:00.000Z']);
    await send('9999-01-01T00:00:00.000Z', ['2001-01-01T00:00:00.000Z']);
    const corrected = ['2001-01-01T00:00', ...['11:56', '11:57', '11:58', '11:59'].map((time) => `2026-06-01T${time}`)];
    const expected = corrected.map((time) => `${time}:00.000Z`);
    assert.equal(await timesIn('crash_event', 'occurred_at'), expected);
    assert.equal(await timesIn('crashed_session', 'started_at'), expected);
  } finally {
    here.test.clock.set(new Date());
  }
});

x('a large batch is corrected and reports its bad operation like a small one', async () => {
  const padding = { properties: { text: 'x'.repeat(1000) } };
  const many = Array.from({ length: 1500 }, () => track({ ...padding, timestamp: '1980-01-01T00:00:00.000Z' }));
  here.test.clock.set(new Date('2026-06-01T12:00:00.000Z'));
  try {
    const stored = await here.world.live.post('/api/v1/batch?sent_at=1980-01-01T00:00:00.000Z', { operations: many });
    assert.is(stored.status, 200, stored.text);
    assert.equal(new Set(await times()), new Set([Date.parse('2026-06-01T12:00:00.000Z')]));
  } finally {
    here.test.clock.set(new Date());
  }
  const refused = await here.world.live.post('/api/v1/batch', {
    operations: [...many, { type: 'alias', payload: {} }, { type: 'track', payload: {} }],
  });
  assert.equal([refused.status, refused.body], [400, { error: 'Invalid alias payload', index: 1500 }]);
});

x('a report says what the batch would do with each operation, and nothing is stored', async () => {
  const operations = [
    track(),
    track({ distinct_id: 'null' }),
    track({ event_name: '' }),
    { type: 'people', payload: { properties: {} } },
    { type: 'people', payload: [] },
    { type: 'page', payload: {} },
    7,
    track({ timestamp: '2999-01-01' }),
    track({ timestamp: 'soon' }),
  ];
  const answer = await here.world.live.post('/api/v1/batch?validate=1', { operations });
  assert.is(answer.status, 200, answer.text);
  const { ok, operations: reports } = answer.body as { ok: boolean; operations: Record<string, unknown>[] };
  assert.is(ok, false);
  const refused = (type: string | null, reason: string, field: string | null) => ({
    type,
    result: 'refused',
    reason,
    field,
  });
  const expected = [
    { type: 'track', result: 'accepted', reason: null, field: null },
    { type: 'track', result: 'discarded', reason: 'garbage_id', field: null },
    refused('track', 'invalid_payload', 'event_name'),
    refused('people', 'invalid_payload', 'distinct_id'),
    refused('people', 'invalid_payload', 'payload'),
    refused(null, 'unknown_operation_type', null),
    refused(null, 'unknown_operation_type', null),
    { type: 'track', result: 'accepted', reason: 'clamped_time', field: null },
    refused('track', 'invalid_payload', 'timestamp'),
  ];
  assert.equal(
    reports,
    expected.map((report, index) => ({ index, ...report })),
  );
  assert.equal(await times(), []);
  for (const [index, operation] of operations.entries()) {
    const { status, body } = await here.world.live.post('/api/v1/batch', { operations: [operation] });
    const result = reports[index]?.result;
    assert.is(status, { accepted: 200, discarded: 202, refused: 400 }[result as 'accepted'], JSON.stringify(body));
  }
  assert.is(
    (await here.world.live.post('/api/v1/batch?validate=1', { operations: [track()] })).text.includes('"ok":true'),
    true,
  );
  const large = { operations: [track({ properties: { text: 'x'.repeat(1024 * 1024) } })] };
  assert.is((await here.world.live.post('/api/v1/batch?validate=1', large)).status, 413);
});

x('a survey is sent again only if it changed', async () => {
  const { id } = await buildSurvey(here.world);
  const path = `/api/pulse/surveys/${id}`;
  const first = await here.world.live.get(path);
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]{27}"$/);
  const known = await here.world.live.get(path, { 'if-none-match': etag });
  assert.equal([known.status, known.text], [304, '']);
  assert.is(known.headers.get('cache-control'), 'private, max-age=300');

  const mine = `${path}?external_id=ada`;
  assert.is((await here.world.live.get(mine, { 'if-none-match': etag })).status, 304);
  await here.world.live.post('/api/pulse/partial', {
    survey_id: id,
    respondent: { external_id: 'ada' },
    answers: { nps: 3 },
  });
  const partial = await here.world.live.get(mine, { 'if-none-match': etag });
  assert.is(partial.status, 200);
  assert.is(partial.headers.get('cache-control'), 'private, no-store');
  const again = await here.world.live.get(mine, { 'if-none-match': partial.headers.get('etag') ?? '' });
  assert.is(again.status, 304);
});

x('the contract is served for generators without extra paths', async () => {
  const whole = await anonymous.get('/openapi.json');
  const lean = await anonymous.get('/openapi.json?aliases=0');
  const pathsOf = ({ body }: typeof whole) => Object.keys((body as { paths: object }).paths);
  assert.ok(pathsOf(whole).includes('/api/v1/pulse/surveys'));
  assert.not.ok(pathsOf(lean).includes('/api/v1/pulse/surveys'));
  assert.ok(pathsOf(lean).includes('/api/pulse/surveys'));
  assert.not.match(lean.text, /"x-alias-of":/);
  assert.is.not(lean.headers.get('etag'), whole.headers.get('etag'));
});

x.run();
