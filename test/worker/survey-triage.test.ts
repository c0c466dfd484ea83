import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
import { behindDeletion } from '../support/database.js';
import { buildMember, buildWorld, type World } from '../support/factories/factories.js';
import { type BuiltSurvey, buildSurvey } from '../support/factories/survey-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { until } from '../support/until.js';

const triage = worldSuite<{ survey: BuiltSurvey }>('what follows a survey response', { worker: true });

triage.before(async (context) => {
  context.survey = await buildSurvey(context.world);
});

interface Ticket {
  id: string;
  title: string;
  status: string;
  responseId: string | null;
}

async function buildBoard(world: World): Promise<string> {
  const { createBoard } = await world.owner.client.graphql<{ createBoard: { id: string } }>(
    'mutation($i: CreateBoardInput!) { createBoard(input: $i) { id } }',
    { i: { projectId: world.projectId, name: 'Unhappy users' } },
  );
  return createBoard.id;
}

const ticketsOf = async (world: World, filter: { boardId: string } | { projectId: string }): Promise<Ticket[]> =>
  (
    await world.owner.client.graphql<{ tickets: { nodes: Ticket[] } }>(
      'query($boardId: ID, $projectId: ID) { tickets(boardId: $boardId, projectId: $projectId) { nodes { id title status responseId } } }',
      filter,
    )
  ).tickets.nodes;

const move = async (world: World, id: string, status: string): Promise<string> =>
  (
    await world.owner.client.graphql<{ transitionTicket: { status: string } }>(
      'mutation($i: TransitionTicketInput!) { transitionTicket(input: $i) { status } }',
      { i: { id, status } },
    )
  ).transitionTicket.status;

async function submit(world: World, survey: BuiltSurvey, nps: number): Promise<string> {
  const { body } = await world.live.post('/api/pulse/responses', {
    survey_id: survey.id,
    answers: { nps, why: 'because' },
    respondent: { user_id: `user-${nps}`, email: 'person@example.com' },
  });
  return (body as { id: string }).id;
}

triage('a response that meets a rule becomes one ticket, any other none', async ({ test, world, survey }) => {
  const boardId = await buildBoard(world);
  for (const [comparison, score] of [
    ['lte', 6],
    ['eq', 3],
  ] as const) {
    await world.owner.client.graphql(
      'mutation($i: CreateTriageRuleInput!) { createTriageRule(input: $i) { id comparison score } }',
      {
        i: { boardId, surveyId: survey.id, comparison, score },
      },
    );
  }
  const elsewhere = await buildWorld(test);
  for (const surveyId of ['psv_00000000000000000000000000', (await buildSurvey(elsewhere)).id, 'nothing']) {
    const refused = await refusalOf(
      world.owner.client.graphql('mutation($i: CreateTriageRuleInput!) { createTriageRule(input: $i) { id } }', {
        i: { boardId, surveyId, comparison: 'eq', score: 1 },
      }),
    );
    assert.is(refused.code, 'BAD_SURVEY_ID');
  }
  const happy = await submit(world, survey, 9);
  const three = await submit(world, survey, 3);
  const six = await submit(world, survey, 6);
  const tickets = await until('the tickets', async () => {
    const found = await ticketsOf(world, { boardId });
    return found.length >= 3 ? found : undefined;
  });
  assert.equal(tickets.map(({ responseId }) => responseId).sort(), [three, three, six].sort());
  assert.ok(tickets.every(({ status, responseId }) => status === 'open' && responseId !== happy));
  const triaged = (responseId: string) =>
    test.app.tx.write({ actor: { kind: 'system', name: 'test' }, requestId: 'a-job', address: null }, (ctx) =>
      test.app.services.triage.triage(ctx, {
        projectId: world.projectId,
        responseId,
        surveyId: survey.id,
        score: 3,
      }),
    );
  assert.equal(await triaged(three), []);
  assert.is((await ticketsOf(world, { projectId: world.projectId })).length, 3, 'a repeat makes no second ticket');

  const late = await behindDeletion(test.app.pool, 'board', boardId, () => triaged('psr_that_comes_late'));
  assert.equal(late, [], 'no ticket remains on a deleted board');
});

triage(
  'each response is copied to the analytics store once, without answers and address',
  async ({ test, world, survey }) => {
    const id = await submit(world, survey, 8);
    const rows = await until('the copy', async () => {
      const { rows } = await test.app.pool.query(
        `select * from event where project_id = $1 and properties->>'response_id' = $2`,
        [world.projectId, id],
      );
      return rows.length > 0 ? rows : undefined;
    });
    assert.is(rows.length, 1);
    assert.is(rows[0].event_name, 'survey_response');
    assert.is(rows[0].distinct_id, 'user-8');
    assert.equal(rows[0].properties, { response_id: id, survey_id: survey.id, survey_version: 1, score: 8 });
    await test.app.tx.write(
      { actor: { kind: 'system', name: 'test' }, requestId: 'repeat-of-the-job', address: null },
      (ctx) => test.app.services.analyticsCopies.copy(ctx, [id]),
    );
    const { rowCount } = await test.app.pool.query('select from event where id = $1', [rows[0].id]);
    assert.is(rowCount, 1);
  },
);

triage('tickets move one step forward or back, and report it', async ({ test, world }) => {
  const boardId = await buildBoard(world);
  const { createTicket } = await world.owner.client.graphql<{ createTicket: Ticket }>(
    'mutation($i: CreateTicketInput!) { createTicket(input: $i) { id status } }',
    { i: { boardId, title: 'Call them' } },
  );
  const { id } = createTicket;
  assert.is((await refusalOf(move(world, id, 'done'))).code, 'MOVE_REFUSED');
  for (const status of ['in_progress', 'in_progress', 'done', 'in_progress', 'open'])
    assert.is(await move(world, id, status), status);
  const { rows } = await test.app.pool.query(
    "select data from event_log where object_id = $1 and kind = 'plan.ticket.transitioned' order by sequence",
    [id],
  );
  assert.equal(
    rows.map(({ data }) => `${data.from} ${data.to}`),
    ['open in_progress', 'in_progress done', 'done in_progress', 'in_progress open'],
  );
});

triage('boards and tickets of others are invisible, and viewers change nothing', async ({ test, world }) => {
  const boardId = await buildBoard(world);
  const stranger = await buildWorld(test);
  const viewer = { ...world, owner: await buildMember(test, world, 'viewer') };
  assert.is((await refusalOf(ticketsOf(stranger, { boardId }))).code, 'BOARD_NOT_FOUND');
  assert.is((await refusalOf(ticketsOf(stranger, { projectId: world.projectId }))).code, 'PROJECT_NOT_FOUND');
  assert.is((await refusalOf(buildBoard(viewer))).code, 'PERMISSION_DENIED');
  assert.equal(await ticketsOf(viewer, { boardId }), []);
});

triage.run();
