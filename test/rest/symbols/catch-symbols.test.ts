import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { Client } from '../../support/client.js';
import { buildMember, buildWorld, setPlan, type TestUser } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { artifactOf, SMALL_MAP, uploadSymbols } from '../../support/symbols/symbol-client.js';
import type { TestApp } from '../../support/test-app.js';

const upload = worldSuite('POST /api/v1/catch/symbols', {
  settings: { MAX_SYMBOL_FILE_BYTES: '100000', MAX_BODY_BYTES: '400000' },
});

const map = { name: 'app.js.map', bytes: SMALL_MAP };

/** All files below the objects folder. */
async function objectFiles(test: TestApp): Promise<string[]> {
  const entries = await readdir(join(test.dataDir, 'objects'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Sends an upload whose body follows after something else has happened: the server asks for it once it has let the caller in. */
function sendLate(test: TestApp, { token }: TestUser, meanwhile: () => Promise<unknown>): Promise<[number, unknown]> {
  const kind = '--A\r\nContent-Disposition: form-data; name="kind"\r\n\r\njs_sourcemap\r\n';
  const file = '--A\r\nContent-Disposition: form-data; name="file"; filename="late.js.map"\r\n\r\n';
  return new Promise((resolve, reject) => {
    const sending = request(`${test.baseUrl}/api/v1/catch/symbols`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=A',
        expect: '100-continue',
      },
    });
    sending.on('error', reject);
    sending.on('continue', () =>
      meanwhile().then(() => sending.end(`${kind}${file}${SMALL_MAP}\r\n--A--\r\n`), reject),
    );
    sending.on('response', (answer) => json(answer).then((body) => resolve([Number(answer.statusCode), body]), reject));
    sending.flushHeaders();
  });
}

upload('is refused if its sender was removed or demoted meanwhile, or the token revoked', async ({ test, world }) => {
  const { client } = world.owner;
  const before = await objectFiles(test);
  const send = async (end: string, named: (user: TestUser) => string): Promise<[number, unknown]> => {
    const user = await buildMember(test, world, 'editor');
    return sendLate(test, user, () => client.graphql(`mutation { ${end.replace('$', named(user))} { id } }`));
  };
  const userId = ({ id }: TestUser) => id;
  const tokenId = ({ token }: TestUser) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti as string;
  const removed = await send('removeMember(input: { userId: "$" })', userId);
  assert.equal(removed, [401, { error: 'invalid_token' }]);
  const revoked = await send('revokeApiToken(input: { id: "$" })', tokenId);
  assert.equal(revoked, [401, { error: 'invalid_token' }]);
  const demoted = await send('changeMemberRole(input: { userId: "$", role: viewer })', userId);
  assert.equal(demoted, [403, { error: 'permission_denied' }]);
  assert.equal(await objectFiles(test), before);
});

upload('answers with the stored artifact, in either order of parts', async ({ world }) => {
  for (const order of ['file first', 'file last'] as const) {
    const bytes = `${SMALL_MAP} ${order}`;
    const answer = await uploadSymbols(
      world.owner.client,
      { ...map, bytes },
      { kind: 'js_sourcemap', release: '1.2' },
      order,
    );
    assert.is(answer.status, 201, answer.text);
    const artifact = artifactOf(answer);
    assert.equal(Object.keys(artifact), [
      'id',
      'project_id',
      'environment',
      'kind',
      'release',
      'match_key',
      'size_bytes',
      'sha256',
      'status',
      'uploaded_at',
      'storage_path',
      'original_name',
    ]);
    assert.is(artifact.project_id, world.projectId);
    assert.is(artifact.environment, 'live');
    assert.is(artifact.match_key, 'app.js');
    assert.is(artifact.release, '1.2');
    assert.is(artifact.status, 'ready');
    assert.is(artifact.size_bytes, bytes.length);
    assert.is(artifact.sha256, createHash('sha256').update(bytes).digest('hex'));
    assert.is(artifact.original_name, 'app.js.map');
  }
});

upload(
  'of the same bytes to the same place returns the same artifact; other bytes make a new one',
  async ({ test, world }) => {
    const { client } = world.owner;
    const fields = { kind: 'js_sourcemap', release: 'same' };
    const first = artifactOf(await uploadSymbols(client, map, fields));
    const before = (await objectFiles(test)).length;
    const again = await uploadSymbols(client, map, fields);
    assert.is(again.status, 201);
    assert.is(artifactOf(again).id, first.id);
    assert.is((await objectFiles(test)).length, before, 'the second copy is gone');
    const other = artifactOf(await uploadSymbols(client, { ...map, bytes: `${SMALL_MAP} ` }, fields));
    assert.is.not(other.id, first.id);
    const elsewhere = artifactOf(await uploadSymbols(client, map, { ...fields, release: 'other' }));
    assert.is.not(elsewhere.id, first.id);
  },
);

upload('of the same bytes spares the artifact from the purge of a release deleted before', async ({ test, world }) => {
  const { client } = world.owner;
  const { projectId } = world;
  const send = async (name: string) =>
    artifactOf(await uploadSymbols(client, { ...map, name }, { kind: 'js_sourcemap', release: 'deleted' }));
  const [again, once] = [await send('again.js.map'), await send('once.js.map')];
  assert.equal(await send('again.js.map'), again);
  const mutate = (name: string, type: string, input: object) =>
    client.graphql<Record<string, { id: string }>>(`mutation($i: ${type}!) { ${name}(input: $i) { id } }`, {
      i: input,
    });
  const { createRelease } = await mutate('createRelease', 'CreateReleaseInput', { projectId, version: 'deleted' });
  await mutate('deleteRelease', 'IdInput', { id: createRelease?.id });
  const deletedAt = new Date().toISOString();
  const spared = await send('again.js.map');
  assert.is(spared.id, again.id);
  assert.ok(spared.uploaded_at > deletedAt);
  await test.app.services.symbolCleanup.purgeRelease({ projectId, environment: 'live', deletedAt, release: 'deleted' });
  const { body } = await client.get('/api/v1/catch/symbols?release=deleted');
  const left = (body as { artifacts: { id: string }[] }).artifacts.map(({ id }) => id);
  assert.equal([left.includes(spared.id), left.includes(once.id)], [true, false]);
});

upload('is refused row by row of its error table and leaves nothing behind', async ({ test, world }) => {
  const viewer = await buildMember(test, world, 'viewer');
  const editor = (await buildMember(test, world, 'editor')).client;
  const anonymous = new Client(test.baseUrl);
  const large = { name: 'large.map', bytes: new Uint8Array(100_001) };
  const huge = { name: 'huge.map', bytes: new Uint8Array(500_000) };
  const kind = { kind: 'js_sourcemap' };
  const before = (await objectFiles(test)).length;
  const cases: [string, Promise<{ status: number; text: string }>, number, string][] = [
    ['no token', uploadSymbols(anonymous, map, kind), 401, 'missing_authorization'],
    ['a project key', uploadSymbols(anonymous.withToken(world.keys.live), map, kind), 401, 'missing_authorization'],
    ['a broken token', uploadSymbols(anonymous.withToken('a.b.c'), map, kind), 401, 'invalid_token'],
    ['a viewer', uploadSymbols(viewer.client, map, kind), 403, 'permission_denied'],
    ['a viewer without anything', uploadSymbols(viewer.client, null, {}), 403, 'permission_denied'],
    ['body over the cap', uploadSymbols(editor, huge, {}), 413, 'payload_too_large'],
    ['no file', uploadSymbols(editor, null, {}), 400, 'missing_file'],
    ['an empty file', uploadSymbols(editor, { ...map, bytes: new Uint8Array() }, kind), 400, 'missing_file'],
    ['file without kind', uploadSymbols(editor, map, {}), 400, 'invalid_kind'],
    ['kind of another case', uploadSymbols(editor, map, { kind: 'IOS_DSYM' }), 400, 'invalid_kind'],
    ['kind from the prototype', uploadSymbols(editor, map, { kind: 'constructor' }), 400, 'invalid_kind'],
    ['large file, bad kind behind it', uploadSymbols(editor, large, { kind: 'x' }), 400, 'invalid_kind'],
    ['large file', uploadSymbols(editor, large, kind), 400, 'file_too_large'],
    ['large file last', uploadSymbols(editor, large, kind, 'file last'), 400, 'file_too_large'],
    ['environment', uploadSymbols(editor, map, { ...kind, environment: 'prod' }), 400, 'invalid_environment'],
    ['json body', editor.post('/api/v1/catch/symbols', {}), 400, 'missing_file'],
  ];
  for (const [name, answer, status, code] of cases) {
    const { status: got, text } = await answer;
    assert.equal({ status: got, text }, { status, text: JSON.stringify({ error: code }) }, name);
  }
  assert.is((await objectFiles(test)).length, before);
});

upload('a list by an unknown kind or environment is refused with the same words as an upload', async ({ world }) => {
  for (const [query, error] of [
    ['kind=IOS_DSYM', 'invalid_kind'],
    ['environment=prod', 'invalid_environment'],
  ] as const) {
    const answer = await world.owner.client.get(`/api/v1/catch/symbols?${query}`);
    assert.is(answer.status, 400);
    assert.equal(answer.body, { error });
  }
  // The first value of a repeated parameter counts, as everywhere.
  const twice = await world.owner.client.get(
    '/api/v1/catch/symbols?kind=ios_dsym&kind=x&environment=live&environment=x',
  );
  assert.is(twice.status, 200);
  const empty = await world.owner.client.get('/api/v1/catch/symbols?kind=&environment=&limit=');
  assert.equal([empty.status, empty.text], [200, (await world.owner.client.get('/api/v1/catch/symbols')).text]);
});

upload('counts a chunked body without an announced length', async ({ world }) => {
  const { client } = world.owner;
  const boundary = 'xYz';
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: text/plain\r\n\r\n`,
        ),
      );
      for (let block = 0; block < 64; block++) controller.enqueue(new Uint8Array(10_000));
      controller.close();
    },
  });
  const token = (client as unknown as { credentials: { token: string } }).credentials.token;
  const answer = await fetch(`${client.baseUrl}/api/v1/catch/symbols`, {
    method: 'POST',
    body: stream,
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    duplex: 'half',
  } as RequestInit);
  assert.is(answer.status, 413);
  assert.equal(await answer.json(), { error: 'payload_too_large' });
});

upload('needs a project if the organization has several, by header, query or field', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  await client.graphql('mutation { createProject(input: { name: "Second" }) { id } }');
  const kind = { kind: 'js_sourcemap' };
  const none = await uploadSymbols(client, map, kind);
  assert.equal([none.status, none.text], [400, '{"error":"project_required"}']);
  const byField = await uploadSymbols(client, map, { ...kind, project_id: world.projectId });
  assert.is(artifactOf(byField).project_id, world.projectId);
  const stranger = await buildWorld(test);
  const foreign = await uploadSymbols(client, map, { ...kind, project_id: stranger.projectId });
  assert.equal([foreign.status, foreign.text], [403, '{"error":"permission_denied"}']);
  const listed = await client.get('/api/v1/catch/symbols', { 'x-project-id': world.projectId });
  assert.is((listed.body as { artifacts: unknown[] }).artifacts.length, 1);
});

upload('stops at the storage quota', async ({ test }) => {
  const world = await buildWorld(test);
  const { client } = world.owner;
  await setPlan(world, { symbolBytes: 60 });
  assert.is((await uploadSymbols(client, map, { kind: 'js_sourcemap' })).status, 201);
  const full = await uploadSymbols(client, map, { kind: 'js_sourcemap', release: '2' });
  assert.equal([full.status, full.text], [402, '{"error":"quota_exceeded","current":51,"limit":60}']);
});

upload('sanitizes file names', async ({ world }) => {
  const names = ['../../../etc/passwd', '..\\..\\x.map', '..', '-rf', '\u202egpj.map'];
  for (const name of names) {
    const answer = await uploadSymbols(world.owner.client, { ...map, name }, { kind: 'js_sourcemap', release: name });
    assert.is(answer.status, 201, name);
    assert.not.match(artifactOf(answer).original_name, /[/\\\u0000\u202e]|^\.+$/);
  }
});

upload('refuses a form that ends in the middle of its file, and keeps nothing of it', async ({ test, world }) => {
  const before = (await objectFiles(test)).length;
  const kind = '--A\r\nContent-Disposition: form-data; name="kind"\r\n\r\njs_sourcemap\r\n';
  const file = '--A\r\nContent-Disposition: form-data; name="file"; filename="a.map"\r\n\r\n';
  for (const body of [`${kind}${file}`, `${kind}${file}${SMALL_MAP}`, `${kind}${file}${'x'.repeat(80_000)}\r\n--`]) {
    const answer = await world.owner.client.send('POST', '/api/v1/catch/symbols', body, {
      'content-type': 'multipart/form-data; boundary=A',
    });
    assert.is(answer.status, 400, answer.text);
    assert.equal(answer.body, { error: 'missing_file' });
  }
  assert.is((await objectFiles(test)).length, before);
});

upload('is listed by the release that it named, however it is stored', async ({ world }) => {
  const { client } = world.owner;
  for (const release of ['nul\u0000', 'r'.repeat(1_500)]) {
    const bytes = `${SMALL_MAP} ${release.length}`;
    const { id } = artifactOf(await uploadSymbols(client, { ...map, bytes }, { kind: 'js_sourcemap', release }));
    const listed = await client.get(`/api/v1/catch/symbols?release=${encodeURIComponent(release)}`);
    assert.equal(
      (listed.body as { artifacts: { id: string }[] }).artifacts.map((one) => one.id),
      [id],
    );
  }
});

upload('can be deleted twice by an editor of its project who is only a viewer elsewhere', async ({ test, world }) => {
  const member = await buildMember(test, world, 'editor');
  const role = (input: object) =>
    world.owner.client.graphql('mutation($i: ChangeMemberRoleInput!) { changeMemberRole(input: $i) { role } }', {
      i: { userId: member.id, ...input },
    });
  const { id } = artifactOf(await uploadSymbols(world.owner.client, map, { kind: 'js_sourcemap', release: 'twice' }));
  const remove = () => member.client.delete(`/api/v1/catch/symbols/${id}`);
  await role({ role: 'viewer' });
  assert.is((await remove()).status, 403);
  await role({ role: 'editor', projectId: world.projectId });
  for (const answer of [await remove(), await remove()])
    assert.equal([answer.status, answer.body], [200, { deleted: true }]);
});

upload.run();
