import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { documentOf, type RootField, rootFields } from '../../contract/operation-documents.js';
import { refusalOf } from '../../support/client.js';
import { buildMember, buildWorld, type TestUser, type World } from '../../support/factories/factories.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const emails = suite<{ test: TestApp; world: World; viewer: TestUser; issueId: string }>('e-mail addresses in crashes');

const EMAIL = 'Ada.Lovelace+crash@mail.example.com';
const SECRET = /lovelace/i;

const frame = (fields: object) => ({
  function: `open(${EMAIL})`,
  file: `/home/${EMAIL}/app.js`,
  module: `${EMAIL}.so`,
  ...fields,
});

/** An address in every text and JSON position, for each path through symbolication. */
const CRASHES = [
  { platform: EMAIL, exception: { type: EMAIL, value: `no ${EMAIL}`, frames: [frame({ in_app: true })] } },
  {
    platform: 'javascript',
    exception: { type: 'E', value: EMAIL, frames: [frame({ line: 1, column: 2 }), frame({})] },
  },
  { platform: 'android', exception: { type: EMAIL, frames: [frame({}), frame({ module: null })] } },
  { platform: 'ios', exception: { type: EMAIL, frames: [frame({ address: '0x10' }), frame({ address: EMAIL })] } },
  { platform: 'android', raw_stacktrace: `java.lang.Error: ${EMAIL}\n\tat ${EMAIL}.b(${EMAIL}:2)\n\tat a.b(A.java:1)` },
  { platform: 'flutter', raw_stacktrace: `${EMAIL}\n#00 abs 00000000 virt 00000010 ${EMAIL}` },
  {
    platform: 'android',
    raw_stacktrace: `  #00 pc 0000044c  /data/${EMAIL}/lib.so (${EMAIL}) (BuildId: 00aabbccddeeff)`,
  },
  { platform: 'python', message: `told ${EMAIL} so` },
];

emails.before(async (context) => {
  const test = await openTestApp({ worker: true });
  const world = await buildWorld(test);
  const events = CRASHES.map((crash) => ({
    event_id: randomUUID(),
    release: EMAIL,
    distinct_id: EMAIL,
    tags: { [EMAIL]: EMAIL, user: EMAIL },
    extra: { deep: [{ [EMAIL]: `<${EMAIL}>` }], link: `/?email=${encodeURIComponent(EMAIL)}&x=1` },
    breadcrumbs: [{ message: `mailto:${EMAIL}`, data: { url: `https://${EMAIL}@example.com/` } }],
    debug_images: [
      { type: 'macho', debug_id: EMAIL, code_file: EMAIL, image_addr: '0x0', image_size: 4096, arch: EMAIL },
    ],
    ...crash,
  }));
  const { status, text } = await world.live.post('/api/catch/events', { events });
  assert.is(status, 200, text);
  const { rows } = await allSymbolicated(test, world);
  Object.assign(context, { test, world, viewer: await buildMember(test, world, 'viewer'), issueId: rows[0].issue_id });
});
emails.after(({ test }) => test.close());

async function allSymbolicated(test: TestApp, world: World) {
  return until('every event is symbolicated', async () => {
    const found = await test.app.pool.query(
      `select issue_id from crash_event where project_id = $1 and status <> 'pending'`,
      [world.projectId],
    );
    return found.rowCount === CRASHES.length && found;
  });
}

const textOf = async (user: TestUser, field: RootField, variables: object): Promise<string> =>
  (await user.client.post('/graphql', { query: documentOf(field, 2), variables })).text;

emails('below Editor no query shows one, whatever it selects', async ({ test, world, viewer, issueId }) => {
  const queries = rootFields(test.app.schema).filter(({ kind }) => kind === 'query');
  const hiding = new Set(['crashEvents', 'crashIssues', 'crashIssue', 'missingSymbols', 'auditLog']);
  for (const field of queries) {
    const variables = { projectId: world.projectId, id: issueId, environment: 'live', distinctId: 'x' };
    assert.not.match(await textOf(viewer, field, variables), SECRET, field.name);
    if (!hiding.delete(field.name)) continue;
    assert.match(await textOf(world.owner, field, variables), SECRET, `${field.name} contains one to hide`);
  }
  assert.is(hiding.size, 0);
});

emails('the surrounding text stays readable', async ({ world, viewer }) => {
  const { crashEvents } = await viewer.client.graphql<{ crashEvents: { nodes: Record<string, unknown>[] } }>(
    'query($p: ID!) { crashEvents(projectId: $p) { nodes { title extra rawStacktrace frames { file address } } } }',
    { p: world.projectId },
  );
  const told = crashEvents.nodes.find(({ title }) => title === 'told [redacted] so');
  assert.equal(told?.extra, { deep: [{ '[redacted]': '<[redacted]>' }], link: '/?email=[redacted]&x=1' });
});

emails(
  'an Editor of the organization who is a Viewer of the project sees none in the audit',
  async ({ test, world }) => {
    const editor = await buildMember(test, world, 'editor');
    const audit = '{ auditLog(first: 100) { nodes { kind data } } }';
    assert.match(JSON.stringify(await editor.client.graphql(audit)), SECRET);
    await world.owner.client.graphql('mutation($i: ChangeMemberRoleInput!) { changeMemberRole(input: $i) { role } }', {
      i: { userId: editor.id, projectId: world.projectId, role: 'viewer' },
    });
    const seen = JSON.stringify(await editor.client.graphql(audit));
    assert.match(seen, /catch\.issue\.created/);
    assert.not.match(seen, SECRET);
  },
);

emails('below Editor, filters do not reveal any', async ({ world, viewer }) => {
  const query = 'query($p: ID!, $r: String) { crashEvents(projectId: $p, release: $r) { nodes { id } } }';
  const variables = { p: world.projectId, r: EMAIL };
  assert.is((await refusalOf(viewer.client.graphql(query, variables))).code, 'PERMISSION_DENIED');
  const { crashEvents } = await world.owner.client.graphql<{ crashEvents: { nodes: object[] } }>(query, variables);
  assert.is(crashEvents.nodes.length, CRASHES.length);
});

emails.run();
