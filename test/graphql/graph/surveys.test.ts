import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildMember, type World } from '../../support/factories/factories.js';
import { type BuiltSurvey, buildSurvey, editSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';

const SURVEYS = 20;
const RESPONSES = 3;

const surveys = worldSuite<{ built: BuiltSurvey[]; mailing: string }>('surveys in the graph');

surveys.before(async (context) => {
  context.built = [];
  const { world, built } = context;
  for (let made = 0; made < SURVEYS; made++)
    built.push(
      await buildSurvey(world, { name: `Survey ${String.fromCharCode(97 + made)}`, kind: made % 2 ? 'nps' : 'csat' }),
    );
  context.mailing = await distribution(world, idAt(built, 0), 'By mail');
  for (const { id } of built)
    for (let score = 0; score < RESPONSES; score++)
      await submit(world, id, {
        answers: { nps: score, why: 'because' },
        respondent: { email: 'ada@example.com' },
        context: { distribution_id: context.mailing },
      });
  for (const { id } of built.slice(1))
    await editSurvey(world, {
      id,
      branchingRules: [
        { fromQuestionId: 'nps', predicate: 'answer <= 6', toQuestionId: 'why' },
        { fromQuestionId: 'why', predicate: 'always' },
      ],
    });
  await editSurvey(world, {
    id: idAt(built, 0),
    description: 'Edited',
    questions: [{ id: 'any', kind: 'text', prompt: 'Anything?' }],
    branchingRules: [{ fromQuestionId: 'any', predicate: 'always' }],
  });
});

const idAt = (built: BuiltSurvey[], index: number): string => built[index]?.id ?? '';

async function submit(world: World, surveyId: string, body: object): Promise<void> {
  const answer = await world.live.post('/api/pulse/responses', { survey_id: surveyId, ...body });
  assert.is(answer.status, 201, answer.text);
}

async function distribution(world: World, surveyId: string, name: string): Promise<string> {
  const { createDistribution } = await world.owner.client.graphql<{ createDistribution: { id: string } }>(
    'mutation($i: CreateDistributionInput!) { createDistribution(input: $i) { id } }',
    { i: { surveyId, name } },
  );
  return createDistribution.id;
}

interface List {
  totalCount: number;
  nodes: { id: string; name: string }[];
}

surveys('every edge costs as many statements for one survey as for many', async ({ world }) => {
  for (const edge of [
    'viewerCan project { name }',
    'questions { prompt survey { name } }',
    'branchingRules { predicate fromQuestion { prompt survey { name } } toQuestion { prompt } }',
    'distributions { name survey { name } }',
    'versions(first: 2) { totalCount nodes { version content survey { name } } }',
    'responses(first: 2) { totalCount nodes { viewerCan project { name } } }',
    'responses(first: 2) { nodes { survey { name } } }',
    'responses(first: 2) { nodes { person { distinctIds } } }',
    'results { responses averageScore nps { score } survey { name } questions { prompt answered question { kind } } }',
    'responses(first: 2) { nodes { distribution { id } } }',
    'responses(first: 2) { nodes { answers { question { prompt } } } }',
  ]) {
    const read = (first: number) => readSurveys(world, first, edge);
    await listTakesAsManyReads(read, 100, edge);
  }
});

surveys(
  'have their versions and responses, and those have their questions and distributions',
  async ({ world, mailing }) => {
    const { nodes, totalCount } = await readSurveys(
      world,
      100,
      `viewerCan versions { totalCount }
     responses { totalCount nodes { distribution { id } answers { question { prompt } } } }`,
    );
    assert.is(totalCount, SURVEYS);
    for (const [index, { viewerCan, versions, responses }] of nodes.entries()) {
      assert.equal(viewerCan, ['pulse_survey_change']);
      assert.equal([versions.totalCount, responses.totalCount], [2, RESPONSES]);
      for (const response of responses.nodes) {
        // Another survey's distribution is not attributed; a removed question is still known.
        assert.is(response.distribution?.id, index === 0 ? mailing : undefined);
        assert.equal(response.answers.map(({ question }) => question.prompt).sort(), ['How likely?', 'Why?']);
      }
    }
  },
);

surveys('have branching rules with their questions', async ({ world, built }) => {
  const read = async (id: string) => {
    const query =
      'query($id: ID!) { survey(id: $id) { branchingRules { fromQuestion { id prompt } toQuestion { id prompt } } } }';
    return (await world.owner.client.graphql<{ survey: { branchingRules: object[] } }>(query, { id })).survey;
  };
  const [likely, why] = [
    { id: 'nps', prompt: 'How likely?' },
    { id: 'why', prompt: 'Why?' },
  ];
  assert.equal(await read(idAt(built, 1)), {
    branchingRules: [
      { fromQuestion: likely, toQuestion: why },
      { fromQuestion: why, toQuestion: null },
    ],
  });
});

interface Surveys {
  totalCount: number;
  nodes: {
    viewerCan: string[];
    versions: { totalCount: number };
    responses: {
      totalCount: number;
      nodes: { distribution: { id: string } | null; answers: { question: { prompt: string } }[] }[];
    };
  }[];
}

async function readSurveys({ owner, projectId }: World, first: number, fields: string): Promise<Surveys> {
  const query = `query($p: ID!, $first: Int!) { project(id: $p) { surveys(first: $first) { totalCount nodes { ${fields} } } } }`;
  return (await owner.client.graphql<{ project: { surveys: Surveys } }>(query, { p: projectId, first })).project
    .surveys;
}

surveys('are ordered, filtered and searched', async ({ world, built }) => {
  const list = async (args: string): Promise<List> =>
    (
      await world.owner.client.graphql<{ surveys: List }>(
        `{ surveys(projectId: "${world.projectId}" ${args}) { totalCount nodes { id name } } }`,
      )
    ).surveys;
  const names = [...built.keys()].map((index) => `Survey ${String.fromCharCode(97 + index)}`);
  assert.equal(
    (await list('')).nodes.map(({ name }) => name),
    names,
  );
  const backwards = await list('orderBy: { field: name, direction: desc }');
  assert.equal(
    backwards.nodes.map(({ name }) => name),
    [...names].reverse(),
  );
  assert.is((await list('orderBy: { field: updatedAt, direction: desc } first: 1')).nodes[0]?.id, built[0]?.id);
  assert.is((await list('filter: { kind: { eq: nps } }')).totalCount, SURVEYS / 2);
  assert.is((await list('kind: csat')).totalCount, SURVEYS / 2);
  assert.is((await list('filter: { status: { in: [draft, archived] } }')).totalCount, 0);
  assert.equal(
    (await list('search: "EDITED"')).nodes.map(({ id }) => id),
    [built[0]?.id],
  );
});

surveys('responses keep their own filter, beside orders and a count', async ({ world, built }) => {
  const list = async (args: string) =>
    (
      await world.owner.client.graphql<{ survey: { responses: { totalCount: number; nodes: { score: number }[] } } }>(
        `query($id: ID!) { survey(id: $id) { responses(${args}) { totalCount nodes { score } } } }`,
        { id: idAt(built, 3) },
      )
    ).survey.responses;
  assert.equal(
    (await list('filter: { scoreMin: 1 }')).nodes.map(({ score }) => score),
    [2, 1],
  );
  assert.equal(
    (await list('orderBy: { field: submittedAt } last: 1')).nodes.map(({ score }) => score),
    [2],
  );
  assert.is((await list('filter: { environment: test }')).totalCount, 0);
});

surveys('distributions are listed, renamed and deleted; responses stay', async ({ world, built }) => {
  const surveyId = idAt(built, 5);
  const id = await distribution(world, surveyId, 'First');
  const { client } = world.owner;
  await submit(world, surveyId, { answers: { nps: 9 }, context: { distribution_id: id } });
  const { updateDistribution } = await client.graphql<{ updateDistribution: object }>(
    'mutation($i: UpdateDistributionInput!) { updateDistribution(input: $i) { name survey { id } } }',
    { i: { id, name: 'Renamed' } },
  );
  assert.equal(updateDistribution, { name: 'Renamed', survey: { id: surveyId } });
  const listed = await client.graphql<{ surveyDistributions: List }>(
    'query($id: ID!) { surveyDistributions(surveyId: $id, filter: { name: { contains: "renam" } }) { totalCount nodes { id name } } }',
    { id: surveyId },
  );
  assert.equal(listed.surveyDistributions, { totalCount: 1, nodes: [{ id, name: 'Renamed' }] });
  await client.graphql('mutation($id: ID!) { deleteDistribution(input: { id: $id }) { id } }', { id });
  const { surveyResponses } = await client.graphql<{ surveyResponses: { nodes: object[] } }>(
    'query($id: ID!) { surveyResponses(surveyId: $id, first: 1) { nodes { attributedTo distribution { id } } } }',
    { id: surveyId },
  );
  assert.equal(surveyResponses.nodes, [{ attributedTo: id, distribution: null }]);
  const { auditLog } = await client.graphql<{ auditLog: { nodes: { kind: string }[] } }>(
    'query($id: String) { auditLog(objectId: $id) { nodes { kind } } }',
    { id },
  );
  assert.equal(
    auditLog.nodes.map(({ kind }) => kind),
    ['pulse.distribution.deleted', 'pulse.distribution.changed', 'pulse.distribution.created'],
  );
});

surveys('are archived in bulk, each with its own result', async ({ world }) => {
  const { id } = await buildSurvey(world);
  const { archiveSurveys } = await world.owner.client.graphql<{
    archiveSurveys: { object: object | null; error: { code: string } | null }[];
  }>('mutation($ids: [ID!]!) { archiveSurveys(input: { ids: $ids }) { object { status } error { code } } }', {
    ids: [id, 'psv_none'],
  });
  assert.equal(archiveSurveys, [
    { object: { status: 'archived' }, error: null },
    { object: null, error: { code: 'SURVEY_NOT_FOUND' } },
  ]);
});

surveys('show a viewer no address on any edge', async ({ test, world, built }) => {
  const { survey } = await world.owner.client.graphql<{ survey: { responses: { nodes: { id: string }[] } } }>(
    'query($id: ID!) { survey(id: $id) { responses { nodes { id } } } }',
    { id: idAt(built, 1) },
  );
  const response = survey.responses.nodes[0]?.id;
  const viewer = await buildMember(test, world, 'viewer');
  const seen = await viewer.client.graphql<{
    surveyResponse: { viewerCan: string[]; respondent: { email: string } };
  }>('query($id: ID!) { surveyResponse(id: $id) { viewerCan respondent { email } } }', { id: response });
  assert.equal(seen.surveyResponse.viewerCan, []);
  assert.not.match(seen.surveyResponse.respondent.email, 'ada');
  const asked = viewer.client.graphql(
    `{ survey(id: "${idAt(built, 1)}") { responses(filter: { email: "ada@example.com" }) { totalCount } } }`,
  );
  assert.is((await refusalOf(asked)).code, 'PERMISSION_DENIED');
});

surveys.run();
