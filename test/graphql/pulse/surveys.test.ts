import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildSurvey, editSurvey, moveSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const editing = worldSuite('editing surveys');

const SURVEY = `query($id: ID!) { survey(id: $id) { id name description kind status slug version autoShow archivedAt
  targetingRules { predicate weightNumerator } branchingRules { fromQuestionId predicate toQuestionId }
  theme { id primaryColor logoUrl } translations questions { id kind prompt required orderIndex options scaleMax } } }`;

type Survey = Record<string, unknown> & {
  questions: Record<string, unknown>[];
  branchingRules: unknown[];
  translations: Record<string, Record<string, string>>;
  theme: { id: string } | null;
};

const surveyOf = async (world: World, id: string): Promise<Survey> =>
  (await world.owner.client.graphql<{ survey: Survey }>(SURVEY, { id })).survey;

editing('a new survey is a draft with the defaults and a slug from its name', async ({ world }) => {
  const built = await buildSurvey(world, { name: 'How was it?', questions: undefined }, 'draft');
  const again = await buildSurvey(world, { name: 'How was it?' }, 'draft');
  const survey = await surveyOf(world, built.id);
  assert.is(survey.status, 'draft');
  assert.is(survey.kind, 'custom');
  assert.is(survey.autoShow, true);
  assert.is(survey.version, 1);
  assert.is(survey.slug, 'how-was-it');
  assert.is(again.slug, 'how-was-it-2');
  assert.equal(survey.questions, []);
});

editing('questions keep their ids, and omitted settings that no longer fit are dropped', async ({ world }) => {
  const { id } = await buildSurvey(world, {
    questions: [
      { id: 'a', kind: 'nps', prompt: 'A' },
      { id: 'b', kind: 'text', prompt: 'B' },
    ],
    branchingRules: [
      { fromQuestionId: 'a', predicate: 'answer > 6', toQuestionId: 'b' },
      { fromQuestionId: 'a', predicate: 'answered' },
    ],
    translations: { de: { 'survey.name': 'N', 'question.a.prompt': 'PA', 'question.b.prompt': 'PB' } },
    theme: { primaryColor: '#123456' },
  });
  const before = await surveyOf(world, id);
  assert.is(
    await editSurvey(world, {
      id,
      questions: [
        { id: 'a', kind: 'nps', prompt: 'A2' },
        { kind: 'csat', prompt: 'C' },
      ],
    }),
    2,
  );
  const after = await surveyOf(world, id);
  assert.equal(
    after.questions.map(({ prompt }) => prompt),
    ['A2', 'C'],
  );
  assert.match(String(after.questions[1]?.id), /^qst_/);
  assert.equal(after.branchingRules, [{ fromQuestionId: 'a', predicate: 'answered', toQuestionId: null }]);
  assert.equal(after.translations, { de: { 'survey.name': 'N', 'question.a.prompt': 'PA' } });
  assert.is(after.theme?.id, before.theme?.id);
  await editSurvey(world, { id, theme: null });
  assert.is((await surveyOf(world, id)).theme, null);
});

for (const [name, change, code, detail] of [
  [
    'a targeting predicate',
    { targetingRules: [{ predicate: 'event:a' }, { predicate: 'AND(event:a)' }] },
    'BAD_PREDICATE',
    { path: 'targetingRules.1.predicate', position: 11 },
  ],
  [
    'a branching predicate',
    { branchingRules: [{ fromQuestionId: 'nps', predicate: 'answer > ' }] },
    'BAD_PREDICATE',
    { path: 'branchingRules.0.predicate', position: 9 },
  ],
  [
    'a rule to nowhere',
    { branchingRules: [{ fromQuestionId: 'nps', predicate: 'always', toQuestionId: 'zzz' }] },
    'BAD_SURVEY',
    { path: 'branchingRules.0' },
  ],
  [
    'a translation of nothing',
    { translations: { de: { 'question.zzz.prompt': 'x' } } },
    'BAD_SURVEY',
    { path: 'translations.de.question.zzz.prompt' },
  ],
  [
    'a language of nobody',
    { translations: { 'not a language': {} } },
    'BAD_SURVEY',
    { path: 'translations.not a language' },
  ],
  [
    'a question without options',
    { questions: [{ kind: 'select', prompt: 'x' }] },
    'BAD_SURVEY',
    { path: 'questions.0' },
  ],
  [
    'an id that stands twice',
    {
      questions: [
        { id: 'a', kind: 'text', prompt: 'x' },
        { id: 'a', kind: 'text', prompt: 'y' },
      ],
    },
    'BAD_SURVEY',
    { path: 'questions.1' },
  ],
  ['a colour that is none', { theme: { primaryColor: 'red;}' } }, 'BAD_SURVEY', { path: 'theme.primaryColor' }],
  ['a logo that runs', { theme: { logoUrl: 'javascript:alert(1)' } }, 'BAD_SURVEY', { path: 'theme.logoUrl' }],
  ['a slug like an id', { slug: 'psv_1' }, 'BAD_SURVEY', { path: 'slug' }],
  [
    'a weight over a thousand',
    { targetingRules: [{ predicate: 'event:a', weightNumerator: 1001 }] },
    'BAD_SURVEY',
    { path: 'targetingRules.0.weightNumerator' },
  ],
  ['no name', { name: ' ' }, 'BAD_SURVEY', { path: 'name' }],
] as const) {
  editing(`${name} is refused with its path, in a new survey and in an edit`, async ({ world }) => {
    const created = await refusalOf(buildSurvey(world, change, 'draft'));
    assert.is(created.code, code);
    const details = created.errors[0]?.extensions.details ?? {};
    for (const [key, value] of Object.entries(detail)) assert.is(details[key], value);
    const { id } = await buildSurvey(world, {}, 'draft');
    assert.is((await refusalOf(editSurvey(world, { id, ...change }))).code, code);
    assert.is((await surveyOf(world, id)).version, 1);
  });
}

editing('two surveys of a project cannot share a slug, two projects can', async ({ test, world }) => {
  await buildSurvey(world, { slug: 'same' });
  assert.is((await refusalOf(buildSurvey(world, { slug: 'same' }))).code, 'SLUG_TAKEN');
  await buildSurvey(await buildWorld(test), { slug: 'same' });
});

editing('an edit of an outdated version is refused if it names its version', async ({ world }) => {
  const { id } = await buildSurvey(world);
  await editSurvey(world, { id, name: 'B', expectedVersion: 1 });
  const refused = await refusalOf(editSurvey(world, { id, name: 'C', expectedVersion: 1 }));
  assert.is(refused.code, 'VERSION_CONFLICT');
  assert.equal(refused.errors[0]?.extensions.details, { expected: 1, current: 2 });
});

editing('concurrent edits are all kept, each as a version', async ({ test, world }) => {
  const { id } = await buildSurvey(world);
  await Promise.all(
    Array.from({ length: 20 }, (_, number) => editSurvey(world, { id, description: `edit ${number}` })),
  );
  assert.is((await surveyOf(world, id)).version, 21);
  const { rows } = await test.app.pool.query(
    'select version from survey_version where survey_id = $1 order by version',
    [id],
  );
  assert.equal(
    rows.map(({ version }) => version),
    Array.from({ length: 21 }, (_, number) => number + 1),
  );
});

editing('statuses change as specified, emit events, and publishing needs a question', async ({ test, world }) => {
  const { id } = await buildSurvey(world, {}, 'draft');
  assert.is((await refusalOf(moveSurvey(world, 'close', id))).code, 'TRANSITION_REFUSED');
  for (const [transition, status] of [
    ['publish', 'published'],
    ['publish', 'published'],
    ['close', 'closed'],
    ['publish', 'published'],
    ['archive', 'archived'],
  ] as const) {
    assert.is(await moveSurvey(world, transition, id), status);
  }
  assert.ok((await surveyOf(world, id)).archivedAt);
  assert.is((await refusalOf(moveSurvey(world, 'publish', id))).code, 'TRANSITION_REFUSED');
  assert.is((await refusalOf(editSurvey(world, { id, name: 'x' }))).code, 'SURVEY_ARCHIVED');
  assert.is(await moveSurvey(world, 'unarchive', id), 'draft');
  assert.is((await surveyOf(world, id)).archivedAt, null);
  const { rows } = await test.app.pool.query('select kind from event_log where object_id = $1 order by sequence', [id]);
  assert.equal(
    rows.map(({ kind }) => kind.replace('pulse.survey.', '')),
    ['created', 'published', 'closed', 'published', 'archived', 'unarchived'],
  );
  const bare = await buildSurvey(world, { questions: [] }, 'draft');
  assert.is((await refusalOf(moveSurvey(world, 'publish', bare.id))).code, 'NO_QUESTIONS');
  const published = await buildSurvey(world);
  assert.is((await refusalOf(editSurvey(world, { id: published.id, questions: [] }))).code, 'NO_QUESTIONS');
});

editing('a question that has answers keeps its kind', async ({ world }) => {
  const { id } = await buildSurvey(world);
  await editSurvey(world, { id, questions: [{ id: 'nps', kind: 'csat', prompt: 'x' }] });
  await world.live.post('/api/pulse/responses', { survey_id: id, answers: { nps: 3 } });
  const refused = await refusalOf(editSurvey(world, { id, questions: [{ id: 'nps', kind: 'nps', prompt: 'x' }] }));
  assert.is(refused.code, 'QUESTION_KIND_FIXED');
});

editing('lists are paged and filtered', async ({ test }) => {
  const world = await buildWorld(test);
  const ids: string[] = [];
  for (const status of ['published', 'draft', 'published'] as const)
    ids.push((await buildSurvey(world, {}, status)).id);
  const list = async (args: string) =>
    (
      await world.owner.client.graphql<{
        surveys: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      }>(`query($p: ID!) { surveys(projectId: $p, ${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`, {
        p: world.projectId,
      })
    ).surveys;
  const first = await list('first: 2');
  assert.equal(
    first.nodes.map(({ id }) => id),
    ids.slice(0, 2),
  );
  assert.ok(first.pageInfo.hasNextPage);
  const second = await list(`first: 2, after: "${first.pageInfo.endCursor}"`);
  assert.equal(
    second.nodes.map(({ id }) => id),
    ids.slice(2),
  );
  assert.equal(
    (await list('first: 5, status: draft')).nodes.map(({ id }) => id),
    ids.slice(1, 2),
  );
});

editing.run();
