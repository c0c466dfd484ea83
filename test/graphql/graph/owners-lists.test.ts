import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { copyRows, rowsReadInVain } from '../../harness/many-rows.js';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildProject, buildWorld, type World } from '../../support/factories/factories.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { listTakesAsManyReads, recordReads } from '../../support/statements.js';
import { until } from '../../support/until.js';
import { create } from './create-object.js';

const lists = worldSuite('lists of what belongs to an object', { worker: true });

async function respond({ live }: World, surveyId: string, more: object = {}): Promise<string> {
  const { body } = await live.post('/api/pulse/responses', { survey_id: surveyId, answers: { nps: 3 }, ...more });
  return (body as { id: string }).id;
}

lists('of a project include its profiles, symbol sources and triage rules', async ({ test, world }) => {
  const project = await buildProject(world);
  const { projectId, live } = project;
  const { body } = await live.post('/api/catch/profiles', { samples: [] });
  const { profile_id } = body as { profile_id: string };
  const boardId = await create(project, 'Board', { projectId, name: 'Board' });
  const { id: surveyId } = await buildSurvey(project);
  const rule = await create(project, 'TriageRule', { boardId, surveyId, comparison: 'lt', score: 7 });
  const source = await create(project, 'SymbolSource', {
    projectId,
    name: 'Symbols',
    layout: 'debuginfod',
    url: 'https://symbols.example.com',
  });
  const query = `query($p: ID!) { project(id: $p) { crashProfiles { totalCount nodes { id project { id } } }
    none: crashProfiles(environment: test) { totalCount } symbolSources { nodes { id } } triageRules { nodes { id } } } }`;
  const { project: answer } = await world.owner.client.graphql<{ project: object }>(query, { p: projectId });
  assert.equal(answer, {
    crashProfiles: { totalCount: 1, nodes: [{ id: profile_id, project: { id: projectId } }] },
    none: { totalCount: 0 },
    symbolSources: { nodes: [{ id: source }] },
    triageRules: { nodes: [{ id: rule }] },
  });
  const viewer = await buildMember(test, world, 'viewer');
  const { body: seen } = await viewer.client.post('/graphql', { query, variables: { p: projectId } });
  const { data, errors } = seen as { data: { project: Record<string, unknown> }; errors: { path: string[] }[] };
  assert.is(data.project.symbolSources, null);
  assert.equal(
    errors.map(({ path }) => path),
    [['project', 'symbolSources']],
  );
  const { crashProfile } = await viewer.client.graphql<{ crashProfile: object }>(
    'query($id: ID!) { crashProfile(id: $id) { id downloadUrl } }',
    { id: profile_id },
  );
  assert.equal(crashProfile, { id: profile_id, downloadUrl: null });
  const foreign = (await buildWorld(test)).owner.client.graphql('query($id: ID!) { crashProfile(id: $id) { id } }', {
    id: profile_id,
  });
  assert.is((await refusalOf(foreign)).code, 'PROFILE_NOT_FOUND');
});

lists(
  'lead from surveys through rules and responses to tickets, and from distributions to responses',
  async ({ world }) => {
    const project = await buildProject(world);
    const { projectId } = project;
    const boardId = await create(project, 'Board', { projectId, name: 'Board' });
    const surveys = [await buildSurvey(project), await buildSurvey(project)];
    const rules: string[] = [];
    const responses: string[] = [];
    const distributions: string[] = [];
    for (const { id: surveyId } of surveys) {
      rules.push(await create(project, 'TriageRule', { boardId, surveyId, comparison: 'lt', score: 7 }));
      const distribution = await create(project, 'Distribution', { surveyId, name: 'By mail' });
      distributions.push(distribution);
      responses.push(await respond(project, surveyId, { context: { distribution_id: distribution } }));
      await respond(project, surveyId, { answers: { nps: 10 } });
    }
    const read = (first: number) =>
      world.owner.client.graphql<{
        surveys: {
          nodes: {
            triageRules: { nodes: { id: string; tickets: { totalCount: number; nodes: object[] } }[] };
            distributions: { id: string; viewerCan: string[]; responses: { totalCount: number; nodes: object[] } }[];
            responses: { nodes: { id: string; tickets: { nodes: { id: string }[] } }[] };
          }[];
        };
      }>(
        `query($p: ID!, $n: Int!) { surveys(projectId: $p, first: $n) { nodes {
        triageRules { nodes { id tickets { totalCount nodes { response { id } } } } }
        distributions { id viewerCan responses { totalCount nodes { id } } }
        responses { nodes { id tickets { nodes { id triageRule { id } } } } } } } }`,
        { p: projectId, n: first },
      );
    await until('the worker has made the tickets', async () => {
      const { surveys: found } = await read(2);
      return found.nodes.every(({ triageRules }) => triageRules.nodes[0]?.tickets.totalCount === 1) || undefined;
    });
    const answer = await listTakesAsManyReads(read, 2);
    for (const [index, survey] of answer.surveys.nodes.entries()) {
      const [rule, response] = [rules[index], responses[index]];
      assert.equal(survey.triageRules.nodes, [
        { id: rule, tickets: { totalCount: 1, nodes: [{ response: { id: response } }] } },
      ]);
      assert.equal(survey.distributions, [
        {
          id: distributions[index],
          viewerCan: ['pulse_survey_change'],
          responses: { totalCount: 1, nodes: [{ id: response }] },
        },
      ]);
      const withTickets = survey.responses.nodes.filter(({ tickets }) => tickets.nodes.length > 0);
      assert.equal(
        withTickets.map(({ id, tickets }) => [id, tickets.nodes.length]),
        [[response, 1]],
      );
    }
  },
);

lists(
  'of persons include the crashes and responses of all their ids, in their environment',
  async ({ test, world }) => {
    const project = await buildProject(world);
    const { projectId, live } = project;
    const { id: surveyId } = await buildSurvey(project);
    for (const distinct_id of ['u-1', 'u-2', 'other'])
      await live.post('/api/v1/people', { distinct_id, properties: { plan: 'pro' } });
    await live.post('/api/v1/alias', { distinct_id: 'u-1', alias_id: 'a-1' });
    const crash = (distinct_id: string) => ({
      event_id: randomUUID(),
      platform: 'node',
      distinct_id,
      exception: { type: 'Fault', value: 'broken', frames: [{ function: 'pay', file: 'app.js', line: 1 }] },
    });
    const crashes = [crash('u-1'), crash('a-1'), crash('u-2'), crash('nobody')];
    for (const event of crashes) await live.post('/api/catch/events', event);
    await project.test.post('/api/catch/events', crash('u-1'));
    const byUser = await respond(project, surveyId, { respondent: { user_id: 'a-1', external_id: 'other' } });
    const byExternal = await respond(project, surveyId, { respondent: { external_id: 'u-1' } });
    await respond(project, surveyId, { respondent: { external_id: 'nobody' } });
    const read = (first: number, args = '') =>
      world.owner.client.graphql<{ people: { nodes: { crashEvents: { nodes: object[] } }[] } }>(
        `query($p: ID!, $n: Int!) { people(projectId: $p, first: $n) { nodes { distinctIds
        crashEvents(last: 5) { totalCount nodes { id } } responses${args} { totalCount nodes { id } } } } }`,
        { p: projectId, n: first },
      );
    const answer = await listTakesAsManyReads(read, 10);
    const none = { totalCount: 0, nodes: [] };
    assert.equal(answer.people.nodes, [
      {
        distinctIds: ['u-1', 'a-1'],
        crashEvents: { totalCount: 2, nodes: [{ id: crashes[1]?.event_id }, { id: crashes[0]?.event_id }] },
        responses: { totalCount: 2, nodes: [{ id: byExternal }, { id: byUser }] },
      },
      {
        distinctIds: ['u-2'],
        crashEvents: { totalCount: 1, nodes: [{ id: crashes[2]?.event_id }] },
        responses: none,
      },
      { distinctIds: ['other'], crashEvents: none, responses: none },
    ]);
    const filtered = await read(1, '(filter: { externalId: "u-1" })');
    assert.equal((filtered.people.nodes[0] as { responses?: object }).responses, {
      totalCount: 1,
      nodes: [{ id: byExternal }],
    });
    const viewer = await buildMember(test, world, 'viewer');
    const byAddress = viewer.client.graphql(
      `query($p: ID!) { people(projectId: $p) { nodes { responses(filter: { email: "a@example.com" }) { totalCount } } } }`,
      { p: projectId },
    );
    assert.is((await refusalOf(byAddress)).code, 'PERMISSION_DENIED');
  },
);

lists('of keys include the warnings about what they sent', async ({ test, world }) => {
  const project = await buildProject(world);
  const event = { type: 'track', payload: { event_name: 'opened', distinct_id: 'null' } };
  for (const client of [project.live, project.test, project.test])
    await client.post('/api/v1/batch', { operations: [event] });
  await test.app.services.warnings.flush();
  const { apiKeys } = await world.owner.client.graphql<{
    apiKeys: { nodes: { environment: string; ingestionWarnings: object }[] };
  }>(
    `query($p: ID!) { apiKeys(projectId: $p) { nodes { environment
      ingestionWarnings(filter: { reason: { eq: garbage_id } }) { totalCount nodes { operations count } } } } }`,
    { p: project.projectId },
  );
  const told = (times: number) => ({ totalCount: 1, nodes: [{ operations: times, count: times }] });
  assert.equal(
    new Map(apiKeys.nodes.map(({ environment, ingestionWarnings }) => [environment, ingestionWarnings])),
    new Map([
      ['live', told(1)],
      ['test', told(2)],
    ]),
  );
});

lists('are found by indexes, however many rows others have', async ({ test, world }) => {
  const project = await buildProject(world);
  const { projectId, live, owner } = project;
  for (const distinct_id of ['u-1', 'u-2']) await live.post('/api/v1/people', { distinct_id, properties: {} });
  const { id: surveyId } = await buildSurvey(project);
  const boardId = await create(project, 'Board', { projectId, name: 'Board' });
  const rule = () => create(project, 'TriageRule', { boardId, surveyId, comparison: 'lt', score: 7 });
  const distribution = (name: string) => create(project, 'Distribution', { surveyId, name });
  const [busyRule, idleRule] = [await rule(), await rule()];
  const [busy, idle] = [await distribution('Busy'), await distribution('Idle')];
  const responseId = await respond(project, surveyId, {
    respondent: { user_id: 'u-1' },
    context: { distribution_id: busy },
  });
  await live.post('/api/catch/events', {
    event_id: randomUUID(),
    platform: 'node',
    distinct_id: 'u-1',
    exception: { type: 'Fault', value: 'broken', frames: [] },
  });
  // Copied tickets would repeat the rule and response of another, which the unique constraint forbids.
  await test.app.pool.query('alter table ticket drop constraint if exists ticket_triage_unique');
  await create(project, 'Ticket', { boardId, title: 'Ticket' });
  await test.app.pool.query('update ticket set triage_rule_id = $1, response_id = $2 where project_id = $3', [
    busyRule,
    responseId,
    projectId,
  ]);
  const idleResponse = await respond(project, surveyId, { answers: { nps: 10 } });
  await copyRows(test.app.pool, projectId, 2_000, ['crash_event', 'survey_response', 'ticket']);
  await test.app.pool.query('update survey_response set user_id = id where project_id = $1', [projectId]);
  await test.app.pool.query('vacuum analyze crash_event, survey_response, ticket');
  const page = '{ totalCount nodes { id } }';
  for (const query of [
    `{ person(projectId: "${projectId}", distinctId: "u-2") { crashEvents ${page} responses ${page} } }`,
    `{ surveyDistribution(id: "${idle}") { responses ${page} late: responses(orderBy: { field: submittedAt }) ${page} } }`,
    `{ triageRule(id: "${idleRule}") { tickets ${page} late: tickets(orderBy: { field: updatedAt }) ${page} } }`,
    `{ surveyResponse(id: "${idleResponse}") { tickets ${page} } }`,
  ]) {
    const { statements } = await recordReads(() => owner.client.graphql(query));
    const pages = statements.filter(({ text }) => text.includes('"listRow"'));
    assert.ok(pages.length > 0);
    for (const page of pages) assert.ok((await rowsReadInVain(test.app.pool, page)) < 100, page.text);
  }
});

lists.run();
