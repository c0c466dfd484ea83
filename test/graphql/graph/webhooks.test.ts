import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newUuid } from '../../../src/kernel/ids.js';
import { rowsRead } from '../../harness/many-rows.js';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type World } from '../../support/factories/factories.js';
import { buildSubscription } from '../../support/factories/webhook-factory.js';
import { listTakesAsManyReads, recordReads } from '../../support/statements.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const SUBSCRIPTIONS = 21;
/** For each subscription, in each place. */
const DELIVERIES = 3;

const webhooks = suite<{ test: TestApp; world: World; ids: string[] }>('webhooks in the graph');

webhooks.before(async (context) => {
  const { test, world } = Object.assign(context, { test: await openTestApp() }, { world: {} as World });
  Object.assign(world, await buildWorld(test));
  context.ids = [];
  for (let made = 0; made < SUBSCRIPTIONS; made++)
    context.ids.push((await buildSubscription(world, `https://example.com/${made}`, ['plan.*'])).id);
  for (const subscription of context.ids)
    for (let made = 0; made < DELIVERIES; made++) await insertDeliveries(test, world, subscription, made);
});
webhooks.after(({ test }) => test.close());

/** One delivery in each place: waiting, given up, delivered at the second attempt. */
async function insertDeliveries({ app: { pool } }: TestApp, world: World, subscription: string, made: number) {
  const kind = made % 2 ? 'plan.board.created' : 'plan.ticket.created';
  const event = `evt_${randomUUID()}`;
  await pool.query(
    'insert into webhook_queue (id, subscription_id, event_id, kind, due_at, created_at) values ($1, $2, $3, $4, now(), now())',
    [newUuid(), subscription, event, kind],
  );
  await pool.query(
    `insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
     values ($1, $2, $3, $4, $5, 10, 'gone', now(), now() - interval '1 day' * $6::integer)`,
    [newUuid(), world.projectId, subscription, event, kind, made],
  );
  const id = newUuid();
  for (const [number, outcome] of ['retry', 'delivered'].entries())
    await pool.query(
      `insert into webhook_attempt (delivery_id, number, subscription_id, event_id, kind, at, status, latency_ms, answer, outcome)
       values ($1, $2, $3, $4, $5, now(), 200, 1, 'ok', $6)`,
      [id, number + 1, subscription, event, kind, outcome],
    );
}

interface Deliveries {
  nodes: { id: string; status: string; kind: string }[];
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

async function deliveries(world: World, args: string): Promise<Deliveries> {
  const query = `{ webhookDeliveries(projectId: "${world.projectId}" ${args}) {
    nodes { id status kind } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  return (await world.owner.client.graphql<{ webhookDeliveries: Deliveries }>(query)).webhookDeliveries;
}

webhooks('every edge costs as many statements for one owner as for many', async ({ world }) => {
  for (const edge of [
    'viewerCan disabledReasonCode project { name }',
    'deliveries(first: 2) { totalCount nodes { id viewerCan project { name } } }',
    'deliveries(first: 2) { nodes { subscription { url } } }',
    'deliveries(first: 2) { nodes { attemptLog { number } } }',
    'deadLetters(first: 2) { totalCount nodes { id reasonCode viewerCan project { name } } }',
    'deadLetters(first: 2) { nodes { subscription { url } } }',
    'deadLetters(first: 2) { nodes { attemptLog { number } } }',
  ]) {
    const read = (first: number) => readSubscriptions(world, first, edge);
    await listTakesAsManyReads(read, 100, edge);
  }
});

webhooks('subscriptions have their deliveries and dead letters', async ({ world }) => {
  const { nodes, totalCount } = await readSubscriptions(
    world,
    100,
    'viewerCan deliveries(first: 2) { totalCount nodes { id } } deadLetters { totalCount }',
  );
  assert.is(totalCount, SUBSCRIPTIONS);
  for (const { deliveries: sent, deadLetters, viewerCan } of nodes) {
    assert.equal([sent.nodes.length, sent.totalCount, deadLetters.totalCount], [2, 3 * DELIVERIES, DELIVERIES]);
    assert.equal(viewerCan, ['webhook_manage']);
  }
});

interface Subscriptions {
  totalCount: number;
  nodes: { deliveries: Deliveries; deadLetters: Deliveries; viewerCan: string[] }[];
}

async function readSubscriptions({ owner, projectId }: World, first: number, fields: string): Promise<Subscriptions> {
  const query = `query($p: ID!, $first: Int!) { project(id: $p) {
    webhookSubscriptions(first: $first) { totalCount nodes { ${fields} } } } }`;
  const { project } = await owner.client.graphql<{ project: { webhookSubscriptions: Subscriptions } }>(query, {
    p: projectId,
    first,
  });
  return project.webhookSubscriptions;
}

webhooks('deliveries are listed both ways, by cursor from both ends, with a count', async ({ world, ids }) => {
  const whole: string[] = [];
  let page = await deliveries(world, `subscriptionId: "${ids[0]}"`);
  assert.is(page.totalCount, 3 * DELIVERIES);
  const expected = page.nodes.map(({ id }) => id);
  assert.equal(expected, [...expected].sort().reverse());
  page = await deliveries(world, `subscriptionId: "${ids[0]}" first: 4`);
  assert.not(page.pageInfo.hasPreviousPage);
  whole.push(...page.nodes.map(({ id }) => id));
  while (page.pageInfo.hasNextPage) {
    page = await deliveries(world, `subscriptionId: "${ids[0]}" first: 4 after: "${page.pageInfo.endCursor}"`);
    whole.push(...page.nodes.map(({ id }) => id));
  }
  assert.equal(whole, expected);
  const backwards: string[] = [];
  page = await deliveries(world, `subscriptionId: "${ids[0]}" last: 4`);
  backwards.unshift(...page.nodes.map(({ id }) => id));
  while (page.pageInfo.hasPreviousPage) {
    page = await deliveries(world, `subscriptionId: "${ids[0]}" last: 4 before: "${page.pageInfo.startCursor}"`);
    backwards.unshift(...page.nodes.map(({ id }) => id));
  }
  assert.equal(backwards, expected);
  const ascending = 'orderBy: { field: createdAt } first: 4';
  const upwards: string[] = [];
  page = await deliveries(world, `filter: { subscriptionId: { eq: "${ids[0]}" } } ${ascending}`);
  upwards.push(...page.nodes.map(({ id }) => id));
  while (page.pageInfo.hasNextPage) {
    const after = page.pageInfo.endCursor;
    page = await deliveries(world, `subscriptionId: "${ids[0]}" ${ascending} after: "${after}"`);
    upwards.push(...page.nodes.map(({ id }) => id));
  }
  assert.equal(upwards, [...expected].reverse());
  page = await deliveries(world, `subscriptionId: "${ids[0]}" orderBy: { field: createdAt } last: 2`);
  assert.equal(
    page.nodes.map(({ id }) => id),
    expected.slice(0, 2).reverse(),
  );
  const cases: [filter: string, count: number][] = [
    ['{ kind: { in: ["plan.ticket.created", "plan.board.created", "plan.board.created"] } }', 9 * SUBSCRIPTIONS],
    ['{ kind: { eq: "plan.board.created" } status: { in: [dead, pending] } }', 2 * SUBSCRIPTIONS],
    ['{ kind: { eq: "plan.board.created", in: ["plan.ticket.created"] } }', 0],
    [`{ subscriptionId: { in: ["${ids[0]}", "${ids[1]}", "none"] } status: { eq: dead } }`, 2 * DELIVERIES],
    ['{ status: { in: [] } }', 0],
  ];
  for (const [filter, count] of cases)
    assert.is((await deliveries(world, `filter: ${filter} first: 100`)).totalCount, count, filter);
  const some = await deliveries(world, 'status: delivered kind: "plan.board.created" first: 100');
  assert.is(some.totalCount, SUBSCRIPTIONS);
  assert.ok(some.nodes.every(({ status, kind }) => status === 'delivered' && kind === 'plan.board.created'));
  assert.is((await refusalOf(deliveries(world, 'before: "x" last: 1'))).code, 'INVALID_CURSOR');
});

webhooks('subscriptions and dead letters are ordered, filtered and searched', async ({ world, ids }) => {
  const list = async (fields: string) =>
    Object.values(
      await world.owner.client.graphql<Record<string, { totalCount: number; nodes: { id: string }[] }>>(
        `{ ${fields.replace('(', `(projectId: "${world.projectId}", `)} { totalCount nodes { id } } }`,
      ),
    )[0] as { totalCount: number; nodes: { id: string }[] };
  assert.is((await list('webhookSubscriptions(search: "example.com/2")')).totalCount, 2);
  const byUrl = await list('webhookSubscriptions(orderBy: { field: url, direction: desc }, first: 1)');
  assert.is(byUrl.nodes[0]?.id, ids[9]);
  assert.is((await list('webhookSubscriptions(filter: { isEnabled: { eq: false } })')).totalCount, 0);
  assert.is((await list(`deadLetters(filter: { subscriptionId: { eq: "${ids[3]}" } })`)).totalCount, DELIVERIES);
  assert.is(
    (await list('deadLetters(filter: { kind: { in: ["plan.ticket.created", "none"] } })')).totalCount,
    2 * SUBSCRIPTIONS,
  );
  assert.is((await list('deadLetters(filter: { reason: { eq: subscription_off } })')).totalCount, 0);
  const halfADayAgo = new Date(Date.now() - 43_200_000).toISOString();
  assert.is(
    (await list(`deadLetters(filter: { diedAt: { from: "${halfADayAgo}" } }, orderBy: { field: diedAt })`)).totalCount,
    SUBSCRIPTIONS,
  );
});

webhooks('a delivery is found by its id in any state', async ({ world }) => {
  const { nodes } = await deliveries(world, 'first: 100');
  for (const status of ['pending', 'delivered', 'dead']) {
    const { id } = nodes.find((node) => node.status === status) ?? {};
    const { webhookDelivery } = await world.owner.client.graphql<{ webhookDelivery: object }>(
      'query($id: ID!) { webhookDelivery(id: $id) { id status } }',
      { id },
    );
    assert.equal(webhookDelivery, { id, status });
  }
});

webhooks('dead letters are replayed in bulk, each with its own result', async ({ world, ids }) => {
  const { nodes } = await deliveries(world, `status: dead subscriptionId: "${ids[20]}"`);
  const [first, second] = nodes;
  const { replayDeliveries } = await world.owner.client.graphql<{
    replayDeliveries: { id: string; object: object | null; error: { code: string } | null }[];
  }>(
    'mutation($ids: [ID!]!) { replayDeliveries(input: { ids: $ids }) { id object { status subscription { id } } error { code } } }',
    { ids: [first?.id, newUuid(), second?.id] },
  );
  const queued = { status: 'pending', subscription: { id: ids[20] } };
  assert.equal(
    replayDeliveries.map(({ object, error }) => object ?? error?.code),
    [queued, 'DELIVERY_NOT_FOUND', queued],
  );
  assert.is((await deliveries(world, `status: dead subscriptionId: "${ids[20]}"`)).totalCount, DELIVERIES - 2);
});

webhooks("are null on every edge for those who are not the project's admins", async ({ test, world }) => {
  const editor = await buildMember(test, world, 'editor');
  const answer = await editor.client.post('/graphql', {
    query:
      '{ projects { nodes { name webhookSubscriptions { totalCount } webhookDeliveries { totalCount } deadLetters { totalCount } } } }',
  });
  const { data, errors } = answer.body as {
    data: { projects: { nodes: { name: string; webhookSubscriptions: null }[] } };
    errors: { extensions: { code: string } }[];
  };
  assert.equal(
    errors.map(({ extensions }) => extensions.code),
    ['PERMISSION_DENIED', 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
  );
  assert.ok(data.projects.nodes[0]?.name);
});

webhooks('a subscription without dead letters does not scan those of another', async ({ test, world, ids }) => {
  const { pool } = test.app;
  await pool.query('delete from webhook_dead_letter');
  await pool.query(
    `insert into webhook_dead_letter (id, project_id, subscription_id, event_id, kind, attempts, reason, created_at, died_at)
     select uuidv7(), $1, $2, 'evt_' || n, 'plan.board.created', 10, 'gone', now(), now() from generate_series(1, 20000) n`,
    [world.projectId, ids[0]],
  );
  await pool.query('analyze webhook_dead_letter');
  const query = 'query($id: ID!) { webhookSubscription(id: $id) { deliveries(first: 5) { totalCount nodes { id } } } }';
  const { statements } = await recordReads(() => world.owner.client.graphql(query, { id: ids[1] }));
  const ofDeadLetters = statements.filter(({ text }) => text.includes('webhook_dead_letter'));
  assert.is(ofDeadLetters.length, 2);
  for (const statement of ofDeadLetters) assert.ok((await rowsRead(pool, statement)) < 500, statement.text);
});

webhooks.run();
