import * as assert from 'uvu/assert';
import { type Client, refusalOf } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildMember, buildProject } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const track = (name: string, distinctId: string, properties = {}) => ({
  type: 'track',
  payload: { event_name: name, distinct_id: distinctId, properties },
});
const people = (distinctId: string, properties: object) => ({
  type: 'people',
  payload: { distinct_id: distinctId, properties },
});
const alias = (aliasId: string, distinctId: string) => ({
  type: 'alias',
  payload: { alias_id: aliasId, distinct_id: distinctId },
});

const EVENTS = `query($p: ID!, $first: Int, $after: String, $name: String, $id: String, $person: ID, $env: Environment, $from: DateTimeISO) {
  events(projectId: $p, environment: $env, first: $first, after: $after, eventName: $name, distinctId: $id, personId: $person, receivedFrom: $from) {
    nodes { eventName distinctId receivedAt properties person { id distinctIds } } pageInfo { hasNextPage endCursor } } }`;
const PERSON = `query($p: ID!, $id: String!) { person(projectId: $p, distinctId: $id) {
  id distinctIds properties merges { aliasId distinctId mergedIds mergedProperties undoneAt } } }`;

interface EventNode {
  eventName: string;
  distinctId: string;
  receivedAt: string;
  properties: unknown;
  person: { id: string; distinctIds: string[] } | null;
}
interface PersonNode {
  id: string;
  distinctIds: string[];
  properties: Record<string, unknown>;
  merges: { aliasId: string; mergedIds: string[]; mergedProperties: unknown; undoneAt: string | null }[];
}

const send = async (...operations: object[]): Promise<void> => {
  const answer = await here.world.live.post('/api/v1/batch', { operations });
  assert.is(answer.status, 200, answer.text);
};
const events = async (variables: object = {}, client = here.world.owner.client) =>
  (
    await client.graphql<{ events: { nodes: EventNode[]; pageInfo: { hasNextPage: boolean; endCursor: string } } }>(
      EVENTS,
      {
        p: here.world.projectId,
        env: 'live',
        ...variables,
      },
    )
  ).events;
const person = async (id: string, client = here.world.owner.client) =>
  (await client.graphql<{ person: PersonNode | null }>(PERSON, { p: here.world.projectId, id })).person;
const mutate = (name: string, type: string, input: object, fields: string, client = here.world.owner.client) =>
  client.graphql<Record<string, unknown>>(`mutation($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, {
    input,
  });

const x = worldSuite('analytics in GraphQL');
const { here } = x;
x.before.each(async () => {
  here.world = await buildProject(here.world);
});

x('pages through events, newest first, by name, id, person and time', async () => {
  await send(
    ...Array.from({ length: 7 }, (_, i) => track(`e${i}`, i % 2 ? 'odd' : 'even', { i })),
    people('odd', { a: 1 }),
    alias('anon', 'odd'),
    track('x', 'anon'),
  );
  const first = await events({ first: 3 });
  assert.equal(
    first.nodes.map(({ eventName }) => eventName),
    ['x', 'e6', 'e5'],
  );
  const rest = await events({ first: 10, after: first.pageInfo.endCursor });
  assert.equal(
    rest.nodes.map(({ eventName }) => eventName),
    ['e4', 'e3', 'e2', 'e1', 'e0'],
  );
  assert.equal([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage], [true, false]);
  assert.equal(
    (await events({ name: 'e3' })).nodes.map(({ properties }) => properties),
    [{ i: 3 }],
  );
  assert.is((await events({ id: 'even' })).nodes.length, 4);
  const known = first.nodes[0]?.person;
  assert.equal(known?.distinctIds.toSorted(), ['anon', 'odd']);
  assert.equal(
    (await events({ person: known?.id })).nodes.map(({ eventName }) => eventName),
    ['x', 'e5', 'e3', 'e1'],
  );
  assert.is(rest.nodes[0]?.person, null);
  assert.is((await events({ from: new Date(Date.now() + 60_000) })).nodes.length, 0);
  assert.is((await events({ env: 'test' })).nodes.length, 0);
  assert.is((await refusalOf(events({ after: 'bm9uZQ' }))).code, 'INVALID_CURSOR');
});

x('shows a merge and undoes it', async () => {
  await send(people('device', { color: 'red', shade: 'dark', seen: 1 }), people('user', { color: 'blue' }));
  await send(alias('tablet', 'device'));
  const before = await person('device');
  await send(alias('device', 'user'), people('user', { seen: 2 }));
  const merged = await person('user');
  assert.equal(merged?.properties, { color: 'blue', shade: 'dark', seen: 2 });
  assert.equal(merged?.distinctIds.toSorted(), ['device', 'tablet', 'user']);
  assert.equal([merged?.merges[0]?.aliasId, merged?.merges[0]?.mergedIds.toSorted()], ['device', ['device', 'tablet']]);
  const input = { projectId: here.world.projectId, distinctId: 'device' };
  await mutate('splitPerson', 'PersonInput', input, 'kept { id } split { id }');
  assert.equal((await person('user'))?.properties, { color: 'blue', seen: 2 });
  assert.equal((await person('user'))?.distinctIds, ['user']);
  const again = await person('tablet');
  assert.equal([again?.properties, again?.distinctIds.toSorted()], [before?.properties, ['device', 'tablet']]);
  assert.ok(again?.merges.find(({ aliasId }) => aliasId === 'device')?.undoneAt);
  assert.is((await refusalOf(mutate('splitPerson', 'PersonInput', input, 'kept { id }'))).code, 'NO_MERGE');
});

x('a split keeps every digit of a number, and what has changed since', async () => {
  const digits = (distinctId: string) =>
    here.test.app.pool.query<{ properties: string }>(
      `select properties::text from person p join person_id i on i.person_id = p.id where i.project_id = $1 and i.distinct_id = $2`,
      [here.world.projectId, distinctId],
    );
  const post = (path: string, body: string) => here.world.live.post(path, body);
  await post(
    '/api/v1/people',
    '{"distinct_id": "long-a", "properties": {"a": 12345678901234567890, "c": 1, "d": 1.0}}',
  );
  await post('/api/v1/people', '{"distinct_id": "long-b", "properties": {"b": 98765432109876543210}}');
  await send(alias('long-a', 'long-b'), people('long-b', { c: 2 }));
  const input = { projectId: here.world.projectId, distinctId: 'long-a' };
  const answer = await mutate('splitPerson', 'PersonInput', input, 'kept { properties } split { properties }');
  assert.is((await digits('long-a')).rows[0]?.properties, '{"a": 12345678901234567890, "c": 1, "d": 1.0}');
  assert.is((await digits('long-b')).rows[0]?.properties, '{"b": 98765432109876543210, "c": 2}');
  const [a, b] = ['12345678901234567890', '98765432109876543210'].map(Number);
  assert.equal(answer, {
    splitPerson: { kept: { properties: { b, c: 2 } }, split: { properties: { a, c: 1, d: 1 } } },
  });
});

x('deletes a person with their ids and events', async () => {
  await send(
    people('gone', { a: 1 }),
    alias('gone2', 'gone'),
    track('e', 'gone'),
    track('e', 'gone2'),
    track('e', 'stays'),
  );
  const input = { projectId: here.world.projectId, distinctId: 'gone2' };
  await mutate('deletePerson', 'PersonInput', input, 'id');
  assert.is(await person('gone'), null);
  assert.equal(
    (await events()).nodes.map(({ distinctId }) => distinctId),
    ['stays'],
  );
  assert.is((await refusalOf(mutate('deletePerson', 'PersonInput', input, 'id'))).code, 'PERSON_NOT_FOUND');
});

x('hides email addresses below Editor, and refuses searches that could reveal them', async () => {
  await send(
    people('jane@example.com', { email: 'jane@example.com', note: 'ask jane@example.com', plan: 'pro' }),
    track('e', 'jane@example.com', { to: ['a.b@c.example'] }),
  );
  const viewer = await buildMember(here.test, here.world, 'viewer');
  const byId = `query($id: ID!) { personById(id: $id) { distinctIds properties } }`;
  const { id } = (await person('jane@example.com')) as PersonNode;
  const seen = JSON.stringify([await events({}, viewer.client), await viewer.client.graphql(byId, { id })]);
  assert.not.match(seen, /jane@|c\.example/);
  assert.match(seen, /\[redacted\]/);
  const search = 'query($p: ID!, $q: JSONObject) { people(projectId: $p, properties: $q) { nodes { properties } } }';
  const variables = { p: here.world.projectId, q: { email: 'jane@example.com', plan: 'pro' } };
  const found = await here.world.owner.client.graphql<{ people: { nodes: object[] } }>(search, variables);
  assert.is(found.people.nodes.length, 1);
  assert.is((await refusalOf(viewer.client.graphql(search, variables))).code, 'PERMISSION_DENIED');
});

x('below Editor, filters do not reveal whether there is an email address', async () => {
  await send(people('jane@example.com', {}), track('of jane@example.com', 'jane@example.com'));
  const viewer = await buildMember(here.test, here.world, 'viewer');
  const { id } = (await person('jane@example.com')) as PersonNode;
  const span = 'from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z"';
  const of = `projectId: "${here.world.projectId}"`;
  const asking = (email: string) => [
    `events(${of}, filter: { distinctId: { eq: "${email}" } }) { edges { cursor } }`,
    `events(${of}, filter: { distinctId: { in: ["x", "${email}"] } }) { totalCount }`,
    `events(${of}, distinctId: "${email}") { totalCount }`,
    `events(${of}, filter: { eventName: { eq: "of ${email}" } }) { totalCount }`,
    `project(id: "${here.world.projectId}") { events(filter: { distinctId: { eq: "${email}" } }) { totalCount } }`,
    `personById(id: "${id}") { events(filter: { distinctId: { eq: "${email}" } }) { totalCount } }`,
    `person(${of}, distinctId: "${email}") { id }`,
    `eventCounts(${of}, eventName: "of ${email}", ${span}) { events }`,
    `eventBreakdown(${of}, eventName: "of ${email}", property: "x", ${span}) { read }`,
    `eventBreakdown(${of}, eventName: "e", property: "${email}", ${span}) { read }`,
  ];
  const ask = (member: typeof viewer, field: string) => member.client.graphql(`{ ${field} }`);
  for (const email of ['jane@example.com', 'nobody@example.com'])
    for (const field of asking(email)) {
      assert.is((await refusalOf(ask(viewer, field))).code, 'PERMISSION_DENIED', field);
      await ask(here.world.owner, field);
    }
  for (const field of asking('plain')) await ask(viewer, field);
});

x(
  'explains to nobody below Editor what an email address gets, nor shows the addresses that a rule has seen',
  async () => {
    await send(people('u1', { contact: ['jane@example.com', 'u1'] }));
    const conditions = [{ attribute: 'props.contact', operator: 'in', values: ['u1'] }];
    const needed = await buildFlag(here.world, { rules: [{ conditions, variant: 'on' }] });
    const { id: flagId } = await buildFlag(here.world, { prerequisites: [{ key: needed.key, variants: ['on'] }] });
    const { id: itemId } = await buildConfigItem(here.world, { rules: [{ conditions, value: '2' }] });
    const rules = 'rules { applies conditions { seen } }';
    const query = `query($flagId: ID!, $itemId: ID!, $id: String) {
    explainFlag(flagId: $flagId, distinctId: $id) { decision { variant } prerequisites { explanation { ${rules} } } }
    explainConfig(itemId: $itemId, distinctId: $id) { value ${rules} } }`;
    const explain = (client: Client, id: string) => client.graphql(query, { flagId, itemId, id });
    const viewer = await buildMember(here.test, here.world, 'viewer');
    const { errors } = await refusalOf(explain(viewer.client, 'jane@example.com'));
    assert.equal(
      errors.map(({ extensions }) => extensions.code),
      ['PERMISSION_DENIED', 'PERMISSION_DENIED'],
    );
    await explain(here.world.owner.client, 'jane@example.com');
    const whole = JSON.stringify(await explain(here.world.owner.client, 'u1'));
    assert.is(whole.split('jane@example.com').length, 3);
    assert.is(JSON.stringify(await explain(viewer.client, 'u1')), whole.replaceAll('jane@example.com', '[redacted]'));
  },
);

x('stores cohorts, and knows who is in them', async () => {
  const make = (input: object) =>
    mutate(
      'createCohort',
      'CreateCohortInput',
      { projectId: here.world.projectId, ...input },
      'id name predicate distinctIds',
    );
  await make({ name: 'pro', predicate: 'AND(props.plan = "pro", OR(props.age = "30", props.beta = "true"))' });
  const { createCohort } = (await make({ name: 'listed', distinctIds: ['a', 'z'] })) as {
    createCohort: { id: string };
  };
  await send(people('u', { plan: 'pro', age: 30 }), alias('a', 'u'));
  const cohortsOf = async (id: string) => {
    here.test.clock.advance(1_000);
    const { body } = await here.world.live.get(`/api/v1/analytics/decision?distinct_id=${id}`);
    return (body as { cohorts: string[] }).cohorts;
  };
  assert.equal(await cohortsOf('u'), ['listed', 'pro']);
  assert.equal(await cohortsOf('z'), ['listed']);
  assert.equal(await cohortsOf('nobody'), []);
  await mutate('updateCohort', 'UpdateCohortInput', { id: createCohort.id, distinctIds: ['nobody'] }, 'id');
  assert.equal(await cohortsOf('nobody'), ['listed']);
  await mutate('deleteCohort', 'IdInput', { id: createCohort.id }, 'id');
  assert.equal(await cohortsOf('u'), ['pro']);
  assert.is((await refusalOf(make({ name: 'pro', distinctIds: [] }))).code, 'COHORT_NAME_TAKEN');
  assert.is((await refusalOf(make({ name: 'bad', predicate: 'plan' }))).code, 'BAD_PREDICATE');
  assert.is((await refusalOf(make({ name: 'none' }))).code, 'BAD_COHORT');
});

x('lists warnings per key and reason', async () => {
  await send(track('e', 'null'), track('e', 'NULL'), track('e', '*/*'), track('e', 'u'));
  await here.test.app.services.warnings.flush();
  const { ingestionWarnings } = await here.world.owner.client.graphql<{
    ingestionWarnings: { nodes: { reason: string; count: number }[] };
  }>('query($p: ID!) { ingestionWarnings(projectId: $p) { nodes { reason count explanation keyId day } } }', {
    p: here.world.projectId,
  });
  const counts = Object.fromEntries(ingestionWarnings.nodes.map(({ reason, count }) => [reason, count]));
  assert.equal(counts, { garbage_id: 2, leaked_header_id: 1 });
});

x.run();
