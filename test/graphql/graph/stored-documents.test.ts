import { createHash, randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHttpServer } from '../../../src/server.js';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type World } from '../../support/factories/factories.js';
import { type LogLine, openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

const documents = suite<{ any: TestApp; trusted: TestApp; log: LogLine[] }>('stored documents');

documents.before(async (context) => {
  context.log = [];
  context.any = await openTestApp({ onLog: (line) => context.log.push(line) });
  context.trusted = await openTestApp({ settings: { GRAPHQL_DOCUMENTS: 'trusted' } });
});
documents.after(async ({ any, trusted }) => {
  await any.close();
  await trusted.close();
});

const ME = 'query Me { me { email } }';
const PROJECT = 'query Project($id: ID!) { project(id: $id) { name } }';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const store = ({ operator }: World, texts: string[], version = '1.0.0') =>
  operator.graphql<{ storeDocuments: { hash: string }[] }>(
    'mutation($input: StoreDocumentsInput!) { storeDocuments(input: $input) { hash app version body } }',
    { input: { app: 'dashboard', version, documents: texts } },
  );

documents('that two callers store at once are stored once', async ({ any }) => {
  const world = await buildWorld(any);
  const { pool } = any.app;
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(
    "insert into stored_document (id, app, version, hash, body, created_at) values ($1, 'dashboard', 'at once', $2, $3, now())",
    [randomUUID(), hashOf(ME), ME],
  );
  const storing = Promise.all([store(world, [ME, PROJECT], 'at once'), store(world, [ME, PROJECT], 'at once')]);
  storing.catch(() => undefined);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await until('both waiting', async () => (await pool.query(waiting)).rowCount === 2);
  await holder.query('rollback');
  holder.release();
  for (const { storeDocuments } of await storing)
    assert.equal(
      storeDocuments.map(({ hash }) => hash),
      [ME, PROJECT].map(hashOf),
    );
  const { rows } = await pool.query(
    "select data -> 'count' as count from event_log where kind = 'documents.set.stored' and object_id = 'dashboard at once'",
  );
  assert.equal(rows, [{ count: 2 }]);
});

documents("run by their ids, by POST and GET, and by Apollo's hash", async ({ any }) => {
  const world = await buildWorld(any);
  const { storeDocuments } = await store(world, [ME, PROJECT, ME]);
  assert.equal(
    storeDocuments.map(({ hash }) => hash),
    [ME, PROJECT, ME].map(hashOf),
  );
  const { client } = world.owner;
  const posted = await client.post('/graphql', {
    documentId: `sha256:${hashOf(PROJECT)}`,
    variables: { id: world.projectId },
  });
  assert.is(posted.status, 200);
  assert.match((posted.body as { data: { project: { name: string } } }).data.project.name, /^Project/);
  const got = await client.get(`/graphql?documentId=sha256:${hashOf(ME)}`, { 'apollo-require-preflight': 'true' });
  assert.equal((got.body as Answer).data, { me: { email: world.owner.email } });
  for (const query of [null, '{ me { id } }']) {
    const beside = await client.post('/graphql', { documentId: `sha256:${hashOf(ME)}`, query });
    const { data, errors } = beside.body as Answer;
    if (query === null) assert.equal(data, { me: { email: world.owner.email } });
    else assert.is(errors?.[0]?.extensions.code, 'BAD_DOCUMENT_ID');
  }
  const unstored = 'query Id { me { email } }';
  for (const prefix of ['', 'sha256:']) {
    const extensionsFor = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: prefix + hashOf(text) } });
    const inUrl = `extensions=${encodeURIComponent(JSON.stringify(extensionsFor(ME)))}`;
    const answers = [
      await client.post('/graphql', { extensions: extensionsFor(ME) }),
      await client.get(`/graphql?${inUrl}`, { 'apollo-require-preflight': 'true' }),
      await client.post('/graphql', { query: ME, extensions: extensionsFor(ME) }),
      await client.post('/graphql', { query: unstored, extensions: extensionsFor(unstored) }),
    ];
    for (const { body } of answers) assert.equal((body as Answer).data, { me: { email: world.owner.email } }, prefix);
  }
  const unknown = await client.post('/graphql', {
    extensions: { persistedQuery: { version: 1, sha256Hash: hashOf('x') } },
  });
  assert.is((unknown.body as Answer).errors?.[0]?.extensions.code, 'PERSISTED_QUERY_NOT_FOUND');
});

documents('are refused when the id is invalid, unknown, or sent along with a text', async ({ any }) => {
  const { owner } = await buildWorld(any);
  const cases: [body: object, code: string][] = [
    [{ documentId: 'sha256:x' }, 'BAD_DOCUMENT_ID'],
    [{ documentId: hashOf(ME) }, 'BAD_DOCUMENT_ID'],
    [{ documentId: 7 }, 'BAD_DOCUMENT_ID'],
    [{ documentId: `sha256:${hashOf(ME)}`, query: ME }, 'BAD_DOCUMENT_ID'],
    [{ documentId: `sha256:${hashOf('nothing')}` }, 'DOCUMENT_NOT_FOUND'],
  ];
  for (const [body, code] of cases) {
    const { status, body: answer } = await owner.client.post('/graphql', body);
    assert.equal([status, (answer as Answer).errors?.[0]?.extensions.code], [400, code], JSON.stringify(body));
  }
});

documents('are stored all or none, by operators, listed, and deleted by version', async ({ any }) => {
  const world = await buildWorld(any);
  const bad = await refusalOf(store(world, [ME, '{ nothing }'], '2'));
  assert.equal(
    [bad.code, bad.message.includes('documents.1: Cannot query field "nothing"')],
    ['DOCUMENT_INVALID', true],
  );
  const editor = await buildMember(any, await buildWorld(any), 'owner');
  assert.is((await refusalOf(store({ ...world, operator: editor.client }, [ME]))).code, 'OPERATORS_ONLY');
  await store(world, [ME, PROJECT], '2');
  const list =
    'query($v: String) { storedDocuments(app: "dashboard", filter: { version: { eq: $v } }) { totalCount nodes { hash } } }';
  const listed = await world.operator.graphql<{ storedDocuments: { totalCount: number } }>(list, { v: '2' });
  assert.is(listed.storedDocuments.totalCount, 2);
  const remove = 'mutation($v: String!) { deleteDocuments(input: { app: "dashboard", version: $v }) { deleted } }';
  assert.equal(await world.operator.graphql(remove, { v: '2' }), { deleteDocuments: { deleted: 2 } });
  assert.equal(await world.operator.graphql(remove, { v: '2' }), { deleteDocuments: { deleted: 0 } });
});

documents(
  'are the only ones that run where only stored ones are trusted, except for operators',
  async ({ trusted }) => {
    const world = await buildWorld(trusted);
    const member = await buildMember(trusted, world, 'viewer');
    const text = await refusalOf(member.client.graphql(ME));
    assert.equal([text.code, text.status], ['DOCUMENT_NOT_TRUSTED', 400]);
    const anonymous = await fetch(`${trusted.baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    assert.is(anonymous.status, 400);
    await store(world, [ME]);
    assert.equal(await member.client.graphql(ME), { me: { email: member.email } });
    const { body } = await member.client.post('/graphql', { documentId: `sha256:${hashOf(ME)}` });
    assert.equal((body as Answer).data, { me: { email: member.email } });
  },
);

documents('that no longer match the schema are logged at startup', async ({ any, log }) => {
  await any.app.pool.query(
    `insert into stored_document (id, created_at, app, version, hash, body) values (gen_random_uuid(), now(), 'old', '0.1', $1, $2)`,
    [hashOf('{ gone }'), '{ gone }'],
  );
  const server = await createHttpServer(any.app);
  server.close();
  assert.ok(log.some(({ msg }) => msg === 'a stored GraphQL document does not match the schema'));
});

documents.run();
