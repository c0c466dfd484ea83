import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { behindDeletion } from '../../support/database.js';
import { buildMember, type World } from '../../support/factories/factories.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads } from '../../support/statements.js';

const BOARDS = 20;
const TICKETS = 3;

const plan = worldSuite<{ boards: string[]; survey: string }>('boards, releases and notes in the graph');

plan.before(async (context) => {
  context.survey = (await buildSurvey(context.world, { name: 'Why' })).id;
  context.boards = [];
  const { world, boards, survey, test } = context;
  for (let made = 0; made < BOARDS; made++) {
    const board = await change(world, 'createBoard', { projectId: world.projectId, name: `Board ${letter(made)}` });
    boards.push(board);
    const rule = await change(world, 'createTriageRule', {
      boardId: board,
      surveyId: survey,
      comparison: 'lt',
      score: made,
    });
    for (let index = 0; index < TICKETS; index++) {
      const ticket = await change(world, 'createTicket', { boardId: board, title: `Ticket ${index}` });
      if (index === 0)
        await test.app.pool.query('update ticket set triage_rule_id = $1, response_id = $2 where id = $3', [
          rule,
          await respond(world, survey),
          ticket,
        ]);
    }
    await change(world, 'createRelease', { projectId: world.projectId, version: `1.${letter(made)}` });
    await change(world, 'createChangelogEntry', { projectId: world.projectId, title: `Note ${letter(made)}` });
  }
});

const letter = (index: number): string => String.fromCharCode(97 + index);

async function respond(world: World, surveyId: string): Promise<string> {
  const { body } = await world.live.post('/api/pulse/responses', { survey_id: surveyId, answers: { nps: 9 } });
  return (body as { id: string }).id;
}

/** Runs a mutation with its own input type and returns the id of the result. */
async function change({ owner }: World, name: string, input: object, fields = 'id'): Promise<string> {
  return (await changed<{ id: string }>(owner.client, name, input, fields)).id;
}

async function changed<T>(client: World['live'], name: string, input: object, fields: string): Promise<T> {
  const type = name.startsWith('delete') ? 'IdInput' : `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${fields} } }`;
  return (await client.graphql<Record<string, T>>(query, { input }))[name] as T;
}

interface List {
  totalCount: number;
  nodes: Record<string, never>[];
}

async function list({ owner, projectId }: World, field: string, args: string, fields: string): Promise<List> {
  const query = `{ project(id: "${projectId}") { ${field}${args && `(${args})`} { totalCount nodes { ${fields} } } } }`;
  return (await owner.client.graphql<{ project: Record<string, List> }>(query)).project[field] as List;
}

const names = ({ nodes }: List, field: string): unknown[] => nodes.map((node) => node[field]);

plan('every edge costs as many statements for one owner as for many', async ({ world }) => {
  for (const [field, edge] of [
    ['boards', 'viewerCan project { name }'],
    ['boards', 'tickets(first: 2) { totalCount nodes { title viewerCan board { name } project { name } } }'],
    ['boards', 'tickets { nodes { triageRule { score surveyId } } }'],
    ['boards', 'triageRules { totalCount nodes { score board { name } } }'],
    ['tickets', 'board { name }'],
    ['releases', 'viewerCan project { name }'],
    ['releases', 'symbols(first: 2) { totalCount nodes { originalName project { name } } }'],
    ['releases', 'crashEvents(first: 2) { totalCount nodes { title issue { title } } }'],
    ['changelogEntries', 'viewerCan project { name }'],
  ] as const) {
    const read = (first: number) => list(world, field, `first: ${first}`, edge);
    const many = await listTakesAsManyReads(read, 100, `${field} { ${edge} }`);
    assert.ok(many.nodes.length >= BOARDS);
  }
});

plan('tickets lead to the rule that made them', async ({ world, boards, survey }) => {
  const { nodes } = await list(world, 'boards', 'first: 1', 'tickets { nodes { title triageRule { surveyId } } }');
  assert.equal((nodes as unknown as { tickets: { nodes: object[] } }[])[0]?.tickets.nodes, [
    { title: 'Ticket 2', triageRule: null },
    { title: 'Ticket 1', triageRule: null },
    { title: 'Ticket 0', triageRule: { surveyId: survey } },
  ]);
  assert.is(boards.length, BOARDS);
});

plan('lists are ordered, filtered and searched', async ({ world, boards, survey }) => {
  const letters = Array.from({ length: BOARDS }, (_, index) => letter(index));
  assert.equal(
    names(await list(world, 'boards', 'orderBy: { field: name, direction: desc }', 'name'), 'name'),
    letters.map((each) => `Board ${each}`).reverse(),
  );
  assert.equal(names(await list(world, 'boards', 'search: "board c"', 'name'), 'name'), ['Board c']);
  assert.is((await list(world, 'tickets', `filter: { boardId: { eq: "${boards[2]}" } }`, 'id')).totalCount, TICKETS);
  assert.is((await list(world, 'tickets', 'search: "TICKET 1"', 'id')).totalCount, BOARDS);
  assert.is((await list(world, 'tickets', 'filter: { status: { eq: done } }', 'id')).totalCount, 0);
  assert.equal(
    names(await list(world, 'releases', 'orderBy: { field: version } last: 2', 'version'), 'version'),
    letters.slice(-2).map((each) => `1.${each}`),
  );
  assert.is((await list(world, 'releases', 'environment: test', 'id')).totalCount, 0);
  assert.equal(names(await list(world, 'changelogEntries', 'search: "note d"', 'title'), 'title'), ['Note d']);
  assert.is((await list(world, 'changelogEntries', 'filter: { status: { eq: published } }', 'id')).totalCount, 0);
  const { triageRules } = await world.owner.client.graphql<{ triageRules: List }>(
    `{ triageRules(projectId: "${world.projectId}", filter: { surveyId: { eq: "${survey}" }, score: { from: 18 } }) { totalCount nodes { score } } }`,
  );
  assert.equal(names(triageRules, 'score'), [18, 19]);
});

plan('objects can be changed and deleted, and each change is recorded', async ({ world }) => {
  const { client } = world.owner;
  const { projectId } = world;
  const board = await change(world, 'createBoard', { projectId, name: 'Old' });
  const surveyId = (await buildSurvey(world)).id;
  const rule = await change(world, 'createTriageRule', { boardId: board, surveyId, comparison: 'lt', score: 3 });
  const tickets = [];
  for (const title of ['One', 'Two', 'Three'])
    tickets.push(await change(world, 'createTicket', { boardId: board, title }));
  const entry = await change(world, 'createChangelogEntry', { projectId, title: 'Draft' });
  const release = await change(world, 'createRelease', { projectId, version: '9.0', commitSha: 'abc' });
  const [ticket] = tickets;
  for (const [name, input, fields, answer] of [
    ['updateBoard', { id: board, name: 'New' }, 'name', { name: 'New' }],
    ['updateTriageRule', { id: rule, score: 5 }, 'score comparison', { score: 5, comparison: 'lt' }],
    ['updateTicket', { id: ticket, description: 'more' }, 'title description', { title: 'One', description: 'more' }],
    ['updateChangelogEntry', { id: entry, body: '# New' }, 'title body', { title: 'Draft', body: '# New' }],
    ['updateRelease', { id: release, notes: 'n', commitSha: null }, 'notes commitSha', { notes: 'n', commitSha: null }],
  ] as const)
    assert.equal(await changed(client, name, input, fields), answer, name);
  const [one, two, three] = tickets;
  const moved = await client.graphql<{
    transitionTickets: { object: object | null; error: { code: string } | null }[];
  }>(
    `mutation($ids: [ID!]!) { transitionTickets(input: { ids: $ids, status: done }) { object { status } error { code } } }`,
    { ids: [one, 'tkt_none'] },
  );
  assert.equal(
    moved.transitionTickets.map(({ error }) => error?.code),
    ['MOVE_REFUSED', 'TICKET_NOT_FOUND'],
  );
  for (const [name, id, root, code] of [
    ['deleteTicket', two, 'ticket', 'TICKET_NOT_FOUND'],
    ['deleteTriageRule', rule, 'triageRule', 'TRIAGE_RULE_NOT_FOUND'],
    ['deleteChangelogEntry', entry, 'changelogEntry', 'ENTRY_NOT_FOUND'],
    ['deleteBoard', board, 'board', 'BOARD_NOT_FOUND'],
  ] as const) {
    assert.is(await change(world, name, { id }), id);
    assert.is((await refusalOf(client.graphql(`{ ${root}(id: "${id}") { id } }`))).code, code);
  }
  assert.is((await refusalOf(client.graphql(`{ ticket(id: "${three}") { id } }`))).code, 'TICKET_NOT_FOUND');
  const { auditLog } = await client.graphql<{
    auditLog: { nodes: { kind: string; objectId: string; before: unknown; after: unknown }[] };
  }>('query($p: ID!) { auditLog(projectId: $p, first: 100) { nodes { kind objectId before after } } }', {
    p: projectId,
  });
  const kinds = new Set(auditLog.nodes.map(({ kind }) => kind));
  for (const kind of [
    'plan.board.changed',
    'plan.board.deleted',
    'plan.triage_rule.changed',
    'plan.triage_rule.deleted',
    'plan.ticket.changed',
    'plan.ticket.deleted',
    'changelog.entry.changed',
    'changelog.entry.deleted',
    'deploy.release.changed',
  ])
    assert.ok(kinds.has(kind), kind);
  const made = auditLog.nodes.find(({ kind, objectId }) => kind === 'plan.ticket.created' && objectId === one);
  assert.equal([made?.before, Object.keys(made?.after ?? {}).sort()], [null, ['description', 'title']]);
});

plan('a release is found by its version, and a viewer sees what they may not do', async ({ test, world, boards }) => {
  const byVersion = `{ releaseByVersion(projectId: "${world.projectId}", version: "1.a") { version } }`;
  const found = await world.owner.client.graphql<{ releaseByVersion: object }>(byVersion);
  assert.equal(found.releaseByVersion, { version: '1.a' });
  const viewer = (await buildMember(test, world, 'viewer')).client;
  const seen = await viewer.graphql<{ board: { viewerCan: string[]; tickets: { nodes: { viewerCan: string[] }[] } } }>(
    `{ board(id: "${boards[0]}") { viewerCan tickets(first: 1) { nodes { viewerCan } } } }`,
  );
  assert.equal(seen.board, { viewerCan: [], tickets: { nodes: [{ viewerCan: [] }] } });
});

plan(
  'a ticket or rule created while its board is being deleted is told that the board does not exist',
  async (context) => {
    const { test, world, survey } = context;
    for (const [name, more] of [
      ['createTicket', { title: 'Late' }],
      ['createTriageRule', { surveyId: survey, comparison: 'lt', score: 1 }],
    ] as const) {
      const boardId = await change(world, 'createBoard', { projectId: world.projectId, name: 'Going' });
      const refused = behindDeletion(test.app.pool, 'board', boardId, () =>
        refusalOf(change(world, name, { boardId, ...more })),
      );
      assert.is((await refused).code, 'BOARD_NOT_FOUND', name);
    }
  },
);

plan.run();
