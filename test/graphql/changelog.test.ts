import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
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
  for (const title of ['', ' \n']) {
    const input = { projectId: world.projectId, title };
    assert.is((await refusalOf(client.graphql(CREATE, { input }))).code, 'INVALID_INPUT');
  }
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

changelog.run();
