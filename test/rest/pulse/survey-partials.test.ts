import * as assert from 'uvu/assert';
import { DAY_MS } from '../../../src/kernel/values/durations.js';
import type { RestAnswer } from '../../support/client.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { type BuiltSurvey, buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const partials = worldSuite<{ survey: BuiltSurvey }>('partial saves');
partials.before.each(async (context) => {
  context.survey = await buildSurvey(context.world);
});

const PATH = '/api/pulse/partial';

const save = (world: World, survey: BuiltSurvey, change: object = {}): Promise<RestAnswer> =>
  world.live.post(PATH, { survey_id: survey.id, respondent: { external_id: 'e1' }, answers: { nps: 3 }, ...change });
const query = (survey: BuiltSurvey, externalId = 'e1') => `${PATH}?survey_id=${survey.id}&external_id=${externalId}`;

async function partialOf(world: World, survey: BuiltSurvey, externalId = 'e1'): Promise<unknown> {
  const { body } = await world.live.get(`/api/pulse/surveys/${survey.id}?external_id=${externalId}`);
  return (body as { partial: unknown }).partial;
}

partials(
  'are an upsert that the bundle shows to the same respondent in the same environment',
  async ({ test, world, survey }) => {
    test.clock.set(new Date());
    const first = await save(world, survey, { current_question_id: 'stars', context: { os_version: '15' } });
    assert.is(first.status, 200);
    const { id, ...saved } = first.body as Record<string, unknown>;
    assert.equal(saved, {
      survey_id: survey.id,
      current_question_id: 'stars',
      expires_at: new Date(test.clock.now().getTime() + 30 * DAY_MS).toISOString(),
      updated_at: test.clock.now().toISOString(),
    });
    const second = await save(world, survey, {
      survey_id: survey.slug,
      answers: { nps: 4, why: 'x', gone: 1, stars: null },
    });
    assert.is((second.body as { id: unknown }).id, id);
    assert.equal(await partialOf(world, survey), { answers: { nps: 4, why: 'x' }, current_question_id: null });
    assert.is(await partialOf(world, survey, 'e2'), null);
    const { body } = await world.test.get(`/api/pulse/surveys/${survey.id}?external_id=e1`);
    assert.is((body as { partial: unknown }).partial, null);
    const read = await world.live.get(query(survey));
    assert.is(read.status, 200);
    assert.is(read.headers.get('cache-control'), 'private, no-store');
    assert.equal((read.body as { answers: unknown }).answers, { nps: 4, why: 'x' });
  },
);

partials('check types but not required answers', async ({ world, survey }) => {
  assert.is((await save(world, survey, { answers: {} })).status, 200);
  const wrong = await save(world, survey, { answers: { nps: '9' } });
  assert.is(wrong.status, 400);
  const { invalid, missing } = wrong.body as Record<string, unknown>;
  assert.equal(invalid, [{ question_id: 'nps', prompt: 'How likely?', reason: 'wrong_type' }]);
  assert.equal(missing, []);
});

partials('expire after thirty days', async ({ test, world, survey }) => {
  test.clock.set(new Date());
  const first = await save(world, survey);
  test.clock.advance(30 * DAY_MS - 1);
  assert.ok(await partialOf(world, survey));
  test.clock.advance(1);
  assert.is(await partialOf(world, survey), null);
  assert.is((await world.live.get(query(survey))).status, 404);
  const again = await save(world, survey, { answers: {} });
  assert.is.not((again.body as { id: unknown }).id, (first.body as { id: unknown }).id);
  test.clock.advance(30 * DAY_MS + 60_000);
  await test.app.services.surveyPartials.deleteExpired(test.clock.now());
  const { rowCount } = await test.app.pool.query('select from survey_partial where survey_id = $1', [survey.id]);
  assert.is(rowCount, 0);
  test.clock.set(new Date());
});

partials('can be deleted, and deleting again gives the same answer', async ({ world, survey }) => {
  await save(world, survey);
  for (const _ of [1, 2]) {
    const deleted = await world.live.delete(query(survey));
    assert.is(deleted.status, 200);
    assert.equal(deleted.body, { deleted: true });
  }
  const gone = await world.live.get(query(survey));
  assert.is(gone.status, 404);
  assert.is((gone.body as { error: string }).error, 'not_found');
});

partials(
  'end with the submission of the same respondent, and a late save does not bring them back',
  async ({ test, world, survey }) => {
    test.clock.set(new Date());
    const submit = (externalId: string) =>
      world.live.post('/api/pulse/responses', {
        survey_id: survey.id,
        respondent: { external_id: externalId },
        answers: { nps: 9 },
      });
    await save(world, survey);
    assert.is((await submit('e2')).status, 201);
    assert.ok(await partialOf(world, survey), "another respondent's submission leaves it alone");
    assert.is((await submit('e1')).status, 201);
    assert.is(await partialOf(world, survey), null);
    test.clock.advance(1_000);
    const late = await save(world, survey);
    assert.is(late.status, 200);
    const { expires_at: expiresAt, updated_at: updatedAt } = late.body as Record<string, unknown>;
    assert.is(expiresAt, updatedAt);
    assert.is(await partialOf(world, survey), null);
    assert.is((await world.live.get(query(survey))).status, 404);
    test.clock.advance(2_000);
    await save(world, survey, { answers: { nps: 1 } });
    assert.equal(await partialOf(world, survey), { answers: { nps: 1 }, current_question_id: null });
  },
);

partials('are refused row by row of the error table', async ({ test, world, survey }) => {
  const foreign = await buildSurvey(await buildWorld(test));
  const draft = await buildSurvey(world, {}, 'draft');
  const cases: [Promise<RestAnswer>, number, string][] = [
    [world.live.post(PATH, '{'), 400, 'invalid_body'],
    [save(world, survey, { survey_id: 5 }), 400, 'invalid_body'],
    [save(world, survey, { respondent: {} }), 400, 'invalid_body'],
    [save(world, survey, { respondent: { external_id: '' } }), 400, 'invalid_body'],
    [save(world, survey, { current_question_id: 5 }), 400, 'invalid_body'],
    [save(world, survey, { answers: [] }), 400, 'invalid_answers'],
    [save(world, foreign), 404, 'not_found'],
    [save(world, draft), 422, 'not_accepting_responses'],
    [world.live.get(PATH), 400, 'invalid_body'],
    [world.live.get(`${PATH}?survey_id=${survey.id}`), 400, 'invalid_body'],
    [world.live.get(query(foreign)), 404, 'not_found'],
    [world.live.delete(query(foreign)), 404, 'not_found'],
    [world.live.get(query(survey, 'a%00b')), 404, 'not_found'],
  ];
  for (const [sent, status, error] of cases) {
    const answer = await sent;
    assert.is(answer.status, status);
    assert.is((answer.body as { error: string }).error, error);
  }
});

partials('requested without a respondent are refused in terms of the query', async ({ world, survey }) => {
  const sent = [world.live.get(PATH), world.live.get(`${PATH}?survey_id=${survey.id}`), world.live.delete(PATH)];
  for (const { body } of await Promise.all(sent))
    assert.equal(body, {
      error: 'invalid_body',
      message: 'The query is invalid: survey_id and external_id are required.',
    });
});

partials('ids with NUL match the ids they were saved under', async ({ world, survey }) => {
  await save(world, survey, { respondent: { external_id: 'a\u0000b' } });
  assert.ok(await partialOf(world, survey, 'a%00b'));
});

partials.run();
