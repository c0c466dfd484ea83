import * as assert from 'uvu/assert';
import { unshrinkable } from '../hostile/hostile-values.js';
import { refusalOf } from '../support/client.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';

const texts = worldSuite('texts that are too long for an index and cannot be packed');

texts('are accepted in full as properties of a person, who is found by their beginning', async ({ world }) => {
  const email = `grace.${unshrinkable(5_000)}`;
  const people = { distinct_id: 'grace', properties: { email, name: email } };
  const track = { event_name: unshrinkable(3_000), distinct_id: 'grace' };
  const operations = [
    { type: 'track', payload: track },
    { type: 'people', payload: people },
  ];
  const { status, text } = await world.live.post('/api/v1/batch', { operations });
  assert.is(status, 200, text);
  for (const [search, found] of [
    ['GRACE.', [{ properties: { email, name: email } }]],
    [email.slice(0, 200), [{ properties: { email, name: email } }]],
    ['grace,', []],
  ] as const) {
    const answer = await world.owner.client.graphql<{ people: { nodes: object[] } }>(
      'query($p: ID!, $search: String) { people(projectId: $p, search: $search) { nodes { properties } } }',
      { p: world.projectId, search },
    );
    assert.equal(answer.people.nodes, found, search.slice(0, 10));
  }
});

texts('are cut as the release of a crash', async ({ world }) => {
  for (const release of [unshrinkable(1_500), `a${unshrinkable(1_500)}`, 'a'.repeat(9_000)]) {
    const event = { event_id: crypto.randomUUID(), message: 'm', release };
    const { status, text } = await world.live.post('/api/catch/events', { events: [event] });
    assert.is(status, 200, text);
    const { crashEvent } = await world.owner.client.graphql<{ crashEvent: { release: string } }>(
      'query($p: ID!, $id: ID!) { crashEvent(projectId: $p, id: $id) { release } }',
      { p: world.projectId, id: event.event_id },
    );
    assert.ok(release.startsWith(crashEvent.release));
    const bytes = Buffer.byteLength(crashEvent.release);
    assert.ok(bytes > 996 && bytes <= 1_000, `${bytes} bytes`);
  }
});

texts('are stored as the distribution of a response', async ({ world }) => {
  const survey = await buildSurvey(world);
  const distributionId = unshrinkable(2_500);
  const context = { distribution_id: distributionId };
  const answer = await world.live.post('/api/pulse/responses', { survey_id: survey.id, answers: { nps: 9 }, context });
  assert.is(answer.status, 201, answer.text);
  const { surveyResponse } = await world.owner.client.graphql<{
    surveyResponse: { context: object; distributionId: string };
  }>('query($id: ID!) { surveyResponse(id: $id) { context distributionId } }', {
    id: (answer.body as { id: string }).id,
  });
  assert.equal(surveyResponse.context, context);
  assert.ok(distributionId.startsWith(surveyResponse.distributionId));
});

texts('are stored as ids and email address of a respondent, up to 512 characters', async ({ world }) => {
  const survey = await buildSurvey(world);
  const send = (respondent: object) =>
    world.live.post('/api/pulse/responses', { survey_id: survey.id, answers: { nps: 9 }, respondent });
  const [userId, externalId, email] = [512, 511, 510].map(unshrinkable);
  const answer = await send({ user_id: userId, external_id: externalId, email });
  assert.is(answer.status, 201, answer.text);
  const { surveyResponse } = await world.owner.client.graphql<{ surveyResponse: { respondent: object } }>(
    'query($id: ID!) { surveyResponse(id: $id) { respondent { userId externalId email } } }',
    { id: (answer.body as { id: string }).id },
  );
  assert.equal(surveyResponse.respondent, { userId, externalId, email });
  assert.is((await send({ user_id: unshrinkable(513) })).status, 400);

  const saved = { survey_id: survey.id, respondent: { external_id: externalId }, answers: { nps: 3 } };
  assert.is((await world.live.post('/api/pulse/partial', saved)).status, 200);
  await send({ external_id: externalId });
  const query = new URLSearchParams({ survey_id: survey.id, external_id: externalId as string });
  assert.is((await world.live.get(`/api/pulse/partial?${query}`)).status, 404);
});

texts('find the person of a crash as the id that ingestion accepts', async ({ world }) => {
  const distinctId = unshrinkable(400);
  assert.is((await world.live.post('/api/v1/people', { distinct_id: distinctId })).status, 200);
  const event = { event_id: crypto.randomUUID(), message: 'm', distinct_id: `${distinctId}x` };
  assert.is((await world.live.post('/api/catch/events', event)).status, 200);
  const { crashEvent } = await world.owner.client.graphql<{
    crashEvent: { distinctId: string; person: object | null };
  }>('query($id: ID!) { crashEvent(id: $id) { distinctId person { distinctIds } } }', { id: event.event_id });
  assert.equal(crashEvent, { distinctId, person: { distinctIds: [distinctId] } });
});

texts('of spaces around an id identify nobody', async ({ world }) => {
  const spaces = Array.from({ length: 3_000 }, (_, at) => String.fromCharCode(0x2000 + ((at * at) % 11))).join('');
  for (const [path, payload] of [
    ['/api/v1/people', {}],
    ['/api/v1/alias', { alias_id: 'b' }],
  ] as const) {
    const answer = await world.live.post(path, { distinct_id: `${spaces}x`, ...payload });
    assert.is(answer.status, 202, answer.text);
  }
});

texts('are refused as a name', async ({ world }) => {
  const named = async (operation: string, type: string, input: object) => {
    const query = `mutation($input: ${type}!) { ${operation}(input: $input) { __typename } }`;
    return (await refusalOf(world.owner.client.graphql(query, { input: { ...input, name: unshrinkable(700) } }))).code;
  };
  assert.is(await named('createApiKey', 'CreateApiKeyInput', { projectId: world.projectId }), 'INVALID_INPUT');
  assert.is(await named('updateProject', 'UpdateProjectInput', { id: world.projectId }), 'INVALID_INPUT');
});

texts.run();
