import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { buildKey, buildWorld } from '../../support/factories/factories.js';
import { buildSurvey, editSurvey, moveSurvey } from '../../support/factories/survey-factory.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';

const surveys = worldPerTestSuite('survey list and bundle');

type Summary = Record<string, unknown> & { id: string };
const LIST = '/api/pulse/surveys';

async function etagOf(client: Client): Promise<string> {
  return (await client.get(LIST)).headers.get('etag') ?? '';
}

surveys("the list holds the project's published surveys by creation, field by field", async ({ world }) => {
  const first = await buildSurvey(world, {
    name: 'First',
    description: 'One',
    kind: 'nps',
    targetingRules: [
      { predicate: 'AND(event:paid, session_count >= 3)', weightNumerator: 250 },
      { predicate: 'cohort:a' },
    ],
  });
  await buildSurvey(world, {}, 'draft');
  await buildSurvey(world, {}, 'closed');
  await buildSurvey(world, {}, 'archived');
  const last = await buildSurvey(world, { autoShow: false, displayCooldownSeconds: 5, displayDelayMs: 7 });
  const { status, headers, body } = await world.live.get(LIST);
  assert.is(status, 200);
  assert.is(headers.get('cache-control'), 'private, max-age=300');
  assert.match(headers.get('etag') ?? '', /^"[\w-]+"$/);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(
    (body as Summary[]).map(({ id }) => id),
    [first.id, last.id],
  );
  assert.equal((body as Summary[])[0], {
    id: first.id,
    name: 'First',
    description: 'One',
    kind: 'nps',
    status: 'published',
    slug: 'first',
    auto_show: true,
    display_cooldown_seconds: 604800,
    display_delay_ms: 0,
    targeting_rules: [
      { predicate: 'AND(event:paid, session_count >= 3)', weight_numerator: 250 },
      { predicate: 'cohort:a', weight_numerator: 1000 },
    ],
  });
  assert.is((body as Summary[])[1]?.display_cooldown_seconds, 5);
});

surveys('an empty project has an empty list with an ETag, the same in both environments', async ({ world }) => {
  const { body } = await world.live.get(LIST);
  assert.equal(body, []);
  assert.ok(await etagOf(world.live));
  await buildSurvey(world);
  assert.is(await etagOf(world.live), await etagOf(world.test));
});

surveys('If-None-Match answers 304 with the headers and without a body', async ({ world }) => {
  await buildSurvey(world);
  const etag = await etagOf(world.live);
  for (const header of [etag, `W/${etag}`, '*', ` ${etag} `, `"a", ${etag}`, `W/"b",W/${etag},"c"`]) {
    const answer = await world.live.get(LIST, { 'if-none-match': header });
    assert.is(answer.status, 304, header);
    assert.is(answer.text, '');
    assert.is(answer.headers.get('etag'), etag);
    assert.is(answer.headers.get('cache-control'), 'private, max-age=300');
  }
  for (const header of ['', '"x"', '"a', 'W/*']) {
    assert.is((await world.live.get(LIST, { 'if-none-match': header })).status, 200, header);
  }
});

surveys('every edit of any part changes the ETag, even within one millisecond', async ({ test, world }) => {
  test.clock.set(new Date());
  const survey = await buildSurvey(world);
  const seen = new Set([await etagOf(world.live)]);
  const edits: (() => Promise<unknown>)[] = [
    () => editSurvey(world, { id: survey.id, name: 'Other' }),
    () => editSurvey(world, { id: survey.id, questions: [{ id: 'nps', kind: 'nps', prompt: 'New prompt' }] }),
    () => editSurvey(world, { id: survey.id, theme: { primaryColor: '#fff' } }),
    () => editSurvey(world, { id: survey.id, theme: { primaryColor: '#000' } }),
    () => editSurvey(world, { id: survey.id, translations: { de: { 'survey.name': 'Andere' } } }),
    () =>
      editSurvey(world, {
        id: survey.id,
        branchingRules: [{ fromQuestionId: 'nps', predicate: 'answer <= 6' }],
      }),
    () => moveSurvey(world, 'close', survey.id),
    () => moveSurvey(world, 'archive', survey.id),
    () => moveSurvey(world, 'unarchive', survey.id),
    () => moveSurvey(world, 'publish', survey.id),
    () => buildSurvey(world, {}, 'draft'),
  ];
  for (const edit of edits) {
    await edit();
    const etag = await etagOf(world.live);
    assert.not(seen.has(etag), String(edit));
    seen.add(etag);
  }
});

surveys('the bundle holds the whole survey, by id and by slug', async ({ world }) => {
  const survey = await buildSurvey(world, {
    name: 'Launch',
    slug: 'launch-2026',
    questions: [
      { id: 'q2', kind: 'select', prompt: 'Second', options: ['a', 'b'], orderIndex: 20, helpText: 'Pick' },
      { id: 'q1', kind: 'nps', prompt: 'First', required: true, orderIndex: 10 },
      { id: 'q3', kind: 'likert', prompt: 'Third', scaleMax: 5, orderIndex: 30 },
    ],
    targetingRules: [{ predicate: 'props.plan = "pro"' }],
    branchingRules: [
      { fromQuestionId: 'q1', predicate: 'answer >= 9', toQuestionId: 'q3' },
      { fromQuestionId: 'q2', predicate: 'always' },
    ],
    theme: { primaryColor: '#4f46e5', darkMode: true },
    translations: { de: { 'survey.name': 'Start', 'question.q1.prompt': 'Erste' } },
  });
  const byId = await world.live.get(`${LIST}/${survey.id}`);
  assert.is(byId.status, 200);
  assert.is(byId.headers.get('cache-control'), 'private, max-age=300');
  const body = byId.body as Record<string, Record<string, unknown>>;
  assert.equal(Object.keys(body), [
    'survey',
    'questions',
    'targeting_rules',
    'branching_rules',
    'theme',
    'translations',
    'partial',
  ]);
  const { created_at: createdAt, ...fields } = body.survey as Record<string, unknown>;
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(fields, {
    id: survey.id,
    organization_id: world.organizationId,
    project_id: world.projectId,
    name: 'Launch',
    description: '',
    kind: 'custom',
    status: 'published',
    slug: 'launch-2026',
    archived_at: null,
  });
  assert.equal(body.questions, [
    { id: 'q1', survey_id: survey.id, kind: 'nps', prompt: 'First', required: true, order_index: 10 },
    {
      id: 'q2',
      survey_id: survey.id,
      kind: 'select',
      prompt: 'Second',
      required: false,
      order_index: 20,
      options: ['a', 'b'],
      help_text: 'Pick',
    },
    { id: 'q3', survey_id: survey.id, kind: 'likert', prompt: 'Third', required: false, order_index: 30, scale_max: 5 },
  ]);
  assert.equal(body.targeting_rules, [{ predicate: 'props.plan = "pro"', weight_numerator: 1000 }]);
  assert.equal(body.branching_rules, [
    { from_question_id: 'q1', predicate: 'answer >= 9', to_question_id: 'q3' },
    { from_question_id: 'q2', predicate: 'always', to_question_id: null },
  ]);
  const { id: themeId, ...theme } = body.theme as Record<string, unknown>;
  assert.type(themeId, 'string');
  assert.equal(theme, {
    survey_id: survey.id,
    primary_color: '#4f46e5',
    background_color: null,
    foreground_color: null,
    font_family: null,
    dark_mode: true,
    logo_url: null,
  });
  assert.equal(body.translations, { de: { 'survey.name': 'Start', 'question.q1.prompt': 'Erste' } });
  assert.is(body.partial, null);
  assert.is((await world.test.get(`${LIST}/launch-2026`)).text, byId.text);
  assert.is((await world.test.get(`/api/v1/pulse/surveys/launch-2026`)).text, byId.text);
});

surveys('a survey without a theme has null; with a respondent nothing is cached', async ({ world }) => {
  const survey = await buildSurvey(world);
  const answer = await world.live.get(`${LIST}/${survey.id}?external_id=e1`);
  assert.is(answer.headers.get('cache-control'), 'private, no-store');
  assert.is((answer.body as { theme: unknown }).theme, null);
  assert.is((answer.body as { partial: unknown }).partial, null);
});

surveys('the bundle is refused row by row of its error table', async ({ test, world }) => {
  const other = await buildWorld(test);
  const foreign = await buildSurvey(other, { slug: 'foreign-one' });
  const anonymous = new Client(test.baseUrl);
  const path = (id: string) => `${LIST}/${id}`;
  const missing = { error: 'not_found', message: 'No survey with this id or slug is visible to you.' };
  for (const id of [foreign.id, 'foreign-one', 'psv_', 'nope', '%00', 'a%2fb', '__proto__', 'x'.repeat(10_000)]) {
    const { status, body } = await world.live.get(path(id));
    assert.is(status, 404, id.slice(0, 20));
    assert.equal(body, missing);
  }
  for (const status of ['draft', 'closed', 'archived'] as const) {
    const survey = await buildSurvey(world, {}, status);
    for (const id of [survey.id, survey.slug]) {
      const answer = await world.live.get(path(id));
      assert.is(answer.status, 422);
      assert.equal(answer.body, {
        error: 'not_accepting_responses',
        message: `The survey is ${status}. Only published surveys accept responses.`,
      });
    }
  }
  for (const list of [LIST, path('x')]) {
    assert.equal((await anonymous.get(list)).body, { error: 'missing_api_key' });
    const wrong = await anonymous.withKey(`sk_live_${'a'.repeat(40)}`).get(list);
    assert.is(wrong.status, 401);
    assert.equal(wrong.body, { error: 'invalid_api_key' });
    const decider = anonymous.withKey(await buildKey(world.owner, world.projectId, 'live', ['decide']));
    assert.is((await decider.get(list)).status, 403);
  }
});

surveys('browsers of any origin may read the list and its ETag', async ({ world }) => {
  const preflight = await world.live.send('OPTIONS', LIST, undefined, { origin: 'https://app.example.com' });
  assert.is(preflight.status, 204);
  const { headers } = await world.live.get(LIST, { origin: 'https://app.example.com' });
  assert.match(headers.get('access-control-expose-headers') ?? '', /ETag/);
});

surveys.run();
