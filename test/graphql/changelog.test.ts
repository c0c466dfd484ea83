import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
import { buildMember, buildWorld } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';

const changelog = worldSuite('changelog');

const CREATE =
  'mutation($input: CreateChangelogEntryInput!) { createChangelogEntry(input: $input) { id status publishedAt } }';
const PUBLISH = 'mutation($id: ID!) { publishChangelogEntry(input: {id: $id}) { id status publishedAt } }';
const LIST =
  'query($id: ID!, $status: ChangelogEntryStatus) { changelogEntries(projectId: $id, status: $status) { nodes { title body status } } }';

interface Entry {
  id: string;
  status: string;
  publishedAt: string | null;
}

changelog('an entry is drafted, then published once, with one event for each', async ({ test, world }) => {
  const { client } = world.owner;
  const { createChangelogEntry: draft } = await client.graphql<{ createChangelogEntry: Entry }>(CREATE, {
    input: { projectId: world.projectId, title: 'Dark mode\u0000', body: '# Now **dark**' },
  });
  assert.equal([draft.status, draft.publishedAt], ['draft', null]);
  assert.equal(await client.graphql(LIST, { id: world.projectId, status: 'published' }), {
    changelogEntries: { nodes: [] },
  });
  const published = await Promise.all(
    [1, 2, 3].map(() => client.graphql<{ publishChangelogEntry: Entry }>(PUBLISH, { id: draft.id })),
  );
  assert.is(new Set(published.map(({ publishChangelogEntry }) => publishChangelogEntry.publishedAt)).size, 1);
  assert.equal(await client.graphql(LIST, { id: world.projectId, status: 'published' }), {
    changelogEntries: { nodes: [{ title: 'Dark mode\ufffd', body: '# Now **dark**', status: 'published' }] },
  });
  const { rows } = await test.app.pool.query<{ kind: string; data: unknown }>(
    'select kind, data from event_log where object_id = $1 order by sequence',
    [draft.id],
  );
  const data = { entry_id: draft.id, title: 'Dark mode\ufffd' };
  assert.equal(rows, [
    { kind: 'changelog.entry.created', data },
    { kind: 'changelog.entry.published', data },
  ]);
});

changelog('viewers read and editors write; for others an entry does not exist', async ({ test, world }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const editor = await buildMember(test, world, 'editor');
  const foreign = await buildWorld(test);
  const input = { projectId: world.projectId, title: 'Entry' };
  assert.is((await refusalOf(viewer.client.graphql(CREATE, { input }))).code, 'PERMISSION_DENIED');
  assert.is((await refusalOf(foreign.owner.client.graphql(CREATE, { input }))).code, 'PROJECT_NOT_FOUND');
  for (const title of ['', ' \n'])
    assert.is((await refusalOf(editor.client.graphql(CREATE, { input: { ...input, title } }))).code, 'INVALID_INPUT');
  const { createChangelogEntry: draft } = await editor.client.graphql<{ createChangelogEntry: Entry }>(CREATE, {
    input,
  });
  await viewer.client.graphql(LIST, { id: world.projectId });
  assert.is((await refusalOf(viewer.client.graphql(PUBLISH, { id: draft.id }))).code, 'PERMISSION_DENIED');
  for (const id of [draft.id, 'x', '\u0000']) {
    assert.is((await refusalOf(foreign.owner.client.graphql(PUBLISH, { id }))).code, 'ENTRY_NOT_FOUND');
  }
});

changelog.run();
