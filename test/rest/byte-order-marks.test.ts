import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';

const MARK = '\ufeff';
/** Longer than what is held in memory as a whole. */
const LONG = 'é'.repeat(1024 * 1024);

const x = worldSuite('byte order marks');
const { here } = x;

x('before a JSON body are ignored, on every route, whatever the size', async () => {
  const survey = await buildSurvey(here.world);
  const flag = await buildFlag(here.world);
  const track = { event_name: 'e', distinct_id: 'marked' };
  const long = { ...track, properties: { long: LONG } };
  const batch = (payload: object) => ({ operations: [{ type: 'track', payload }] });
  const answers = { nps: 9 };
  const bodies: [path: string, status: number, body: object][] = [
    ['/api/v1/batch', 200, batch(track)],
    ['/api/v1/batch', 200, batch(long)],
    ['/api/v1/batch?validate=1', 200, batch(track)],
    ['/api/v1/track', 200, track],
    ['/api/v1/track', 200, long],
    ['/api/v1/people', 200, { distinct_id: 'marked', properties: { plan: 'pro' } }],
    ['/api/v1/alias', 200, { alias_id: 'other', distinct_id: 'marked' }],
    ['/api/v1/handshake', 200, { distinct_id: 'marked' }],
    ['/api/pulse/responses', 201, { survey_id: survey.id, answers }],
    ['/api/pulse/partial', 200, { survey_id: survey.id, respondent: { external_id: 'marked' }, answers }],
    ['/api/switch/halt-webhook', 200, { flag_key: flag.key, reason: 'marked' }],
    ['/api/catch/events', 200, { event_id: randomUUID(), message: 'broke' }],
    ['/api/catch/profiles', 202, { nodes: [] }],
    ['/ofrep/v1/evaluate/flags', 200, { context: { targetingKey: 'marked' } }],
  ];
  for (const [path, status, body] of bodies) {
    const marked = await here.world.live.post(path, `${MARK}${JSON.stringify(body)}`);
    assert.is(marked.status, status, `${path}: ${marked.text}`);
    assert.is((await here.world.live.post(path, MARK)).status, 400, path);
  }
  const { rows } = await here.test.app.pool.query<{ name: string; length: number | null }>(
    `select event_name as name, length(properties ->> 'long') as length from event where project_id = $1 order by id`,
    [here.world.projectId],
  );
  assert.equal(
    rows.map(({ length }) => length),
    [null, LONG.length, null, LONG.length],
  );
});

x.run();
