import { createHash, randomBytes } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import * as assert from 'uvu/assert';
import { startBucketServer } from '../../support/bucket-server.js';
import type { Client, RestAnswer } from '../../support/client.js';
import { buildMember, buildWorld, setPlan } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { losingCommitsTo } from '../../support/statements.js';
import { artifactOf } from '../../support/symbols/symbol-client.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

const PATH = '/api/v1/catch/symbols/uploads';
const PART = 8 * 1024 * 1024;

interface UploadBody {
  id: string;
  received_bytes: number;
  parts: { offset: number; size_bytes: number }[];
}

const parts = worldSuite('symbol files in parts', { settings: { MAX_SYMBOL_FILE_BYTES: String(40 * 1024 * 1024) } });

const hex = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const uploadOf = (answer: RestAnswer) => (answer.body as { upload: UploadBody }).upload;

/** A file of two parts, the second of which is small. */
const someFile = () => randomBytes(PART + 1_000);

const announcedOf = (file: Uint8Array, more: object = {}) => ({
  kind: 'android_ndk',
  file_name: 'libgame.so',
  size_bytes: file.length,
  sha256: hex(file),
  match_key: hex(file).slice(0, 20),
  ...more,
});

const begin = async (client: Client, file: Uint8Array): Promise<UploadBody> => {
  const answer = await client.post(PATH, announcedOf(file));
  assert.is(answer.status, 201, answer.text);
  return uploadOf(answer);
};

function put(client: Client, id: string, offset: number | string, part: Uint8Array, announced = part, more = {}) {
  const digest = createHash('sha256').update(announced).digest('base64');
  return client.send('PUT', `${PATH}/${id}/parts/${offset}`, part, {
    'content-digest': `sha-256=:${digest}:`,
    ...more,
  });
}

async function objectKeys(test: TestApp, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of test.app.parts.objects.list(prefix)) keys.push(key);
  return keys;
}

parts('become the same artifact as a single request, in any order and sent twice', async ({ test, world }) => {
  const { client } = world.owner;
  const file = someFile();
  const { id } = await begin(client, file);
  assert.is(uploadOf(await put(client, id, PART, file.subarray(PART))).received_bytes, 1_000);
  const early = await client.post(`${PATH}/${id}/complete`, '');
  assert.is(early.status, 409);
  assert.match(early.text, /"parts_missing".*Only 1000 of 8389608 bytes/);
  for (const _again of [1, 2]) assert.is((await put(client, id, 0, file.subarray(0, PART))).status, 200);
  const { received_bytes, parts: kept } = uploadOf(await client.get(`${PATH}/${id}`));
  assert.is(received_bytes, file.length);
  assert.equal(
    kept.map(({ offset, size_bytes }) => [offset, size_bytes]),
    [
      [0, PART],
      [PART, 1_000],
    ],
  );
  const complete = await client.post(`${PATH}/${id}/complete`, '');
  assert.is(complete.status, 201, complete.text);
  const artifact = artifactOf(complete);
  assert.is(artifact.sha256, hex(file));
  assert.is(artifact.original_name, 'libgame.so');
  const stored = await test.app.parts.objects.get(artifact.storage_path);
  assert.is(hex(Buffer.concat(await stored.toArray())), hex(file));
  assert.equal(await objectKeys(test, `symbol-uploads/${id}`), [], 'the parts are gone');
  for (const sha256 of [hex(file), hex(file).toUpperCase()]) {
    const again = await client.post(PATH, announcedOf(file, { sha256, match_key: artifact.match_key }));
    assert.is(again.status, 200, 'the bytes are there');
    assert.is(artifactOf(again).id, artifact.id);
  }
});

parts('are found again when the same file is started again', async ({ world }) => {
  const { client } = world.owner;
  const file = someFile();
  const first = await begin(client, file);
  await put(client, first.id, 0, file.subarray(0, PART));
  const second = await begin(client, file);
  assert.is(second.id, first.id);
  assert.is(second.received_bytes, PART);
  const elsewhere = await client.post(PATH, announcedOf(file, { release: 'other' }));
  assert.is.not(uploadOf(elsewhere).id, first.id);
});

parts('are refused where they do not fit, and leave nothing behind', async ({ test, world }) => {
  const { client } = world.owner;
  const file = someFile();
  const [first, last] = [file.subarray(0, PART), file.subarray(PART)];
  const { id } = await begin(client, file);
  const cases: [string, () => Promise<RestAnswer>, number, RegExp][] = [
    ['no boundary', () => put(client, id, 1, last), 400, /"invalid_part".*no part starts at this offset/],
    ['no number', () => put(client, id, 'x', last), 400, /"invalid_part"/],
    ['past the end', () => put(client, id, 2 * PART, last), 400, /"invalid_part"/],
    ['too short', () => put(client, id, 0, last), 400, /it should have 8388608 bytes, but 1000 arrived/],
    ['too long', () => put(client, id, PART, first), 400, /it should have 1000 bytes, but 8388608 arrived/],
    ['over the cap', () => put(client, id, 0, file), 413, /payload_too_large/],
    ['other bytes', () => put(client, id, PART, last, first), 422, /"checksum_mismatch"/],
    [
      'no digest',
      () => client.send('PUT', `${PATH}/${id}/parts/${PART}`, last, {}),
      400,
      /Content-Digest has no sha-256/,
    ],
    ...['gzip', 'deflate', 'br', 'zstd'].map((encoding): (typeof cases)[number] => [
      `not ${encoding}`,
      () => put(client, id, PART, last, last, { 'content-encoding': encoding }),
      400,
      /"invalid_part".*its bytes are not in its Content-Encoding/,
    ]),
  ];
  for (const [name, send, status, says] of cases) {
    const answer = await send();
    assert.is(answer.status, status, `${name}: ${answer.text}`);
    assert.match(answer.text, says, name);
  }
  assert.equal(await objectKeys(test, `symbol-uploads/${id}`), []);
});

parts('that differ from the announced file end the upload', async ({ test, world }) => {
  const { client } = world.owner;
  const file = someFile();
  const { id } = await begin(client, file);
  await put(client, id, 0, file.subarray(0, PART));
  await put(client, id, PART, randomBytes(1_000));
  const before = await objectKeys(test, 'symbols/');
  const complete = await client.post(`${PATH}/${id}/complete`, '');
  assert.is(complete.status, 422, complete.text);
  assert.equal(await objectKeys(test, 'symbols/'), before);
  assert.is((await client.get(`${PATH}/${id}`)).status, 404);
});

parts('a part resent with other bytes replaces the first', async ({ test, world }) => {
  const { client } = world.owner;
  const file = someFile();
  const { id } = await begin(client, file);
  await put(client, id, 0, file.subarray(0, PART));
  await put(client, id, PART, randomBytes(1_000));
  await put(client, id, PART, file.subarray(PART));
  assert.is((await objectKeys(test, `symbol-uploads/${id}`)).length, 2);
  assert.is((await client.post(`${PATH}/${id}/complete`, '')).status, 201);
});

parts('can be started only for files that can become artifacts', async ({ test, world }) => {
  const { client } = world.owner;
  const file = randomBytes(10);
  const viewer = (await buildMember(test, world, 'viewer')).client;
  const cases: [string, Promise<RestAnswer>, number, RegExp][] = [
    ['no JSON', client.post(PATH, '{'), 400, /"invalid_upload".*is not JSON/],
    ['no hash', client.post(PATH, announcedOf(file, { sha256: 'x' })), 400, /"invalid_upload".*sha256 must match/],
    ['no kind', client.post(PATH, announcedOf(file, { kind: 'x' })), 400, /"invalid_upload".*kind must be/],
    ['no bytes', client.post(PATH, announcedOf(file, { size_bytes: 0 })), 400, /"invalid_upload".*size_bytes must be/],
    ['too large', client.post(PATH, announcedOf(file, { size_bytes: 41 * 1024 * 1024 })), 400, /"file_too_large"/],
    ['a viewer', viewer.post(PATH, announcedOf(file)), 403, /"permission_denied"/],
    ['a viewer, no JSON', viewer.post(PATH, '{'), 403, /"permission_denied"/],
  ];
  for (const [name, sent, status, says] of cases) {
    const answer = await sent;
    assert.is(answer.status, status, `${name}: ${answer.text}`);
    assert.match(answer.text, says, name);
  }
});

parts('of one organization do not exist for another, and are refused to its own viewers', async ({ test, world }) => {
  const file = someFile();
  const { id } = await begin(world.owner.client, file);
  const stranger = (await buildWorld(test)).owner.client;
  const viewer = (await buildMember(test, world, 'viewer')).client;
  for (const [client, status] of [
    [stranger, 404],
    [viewer, 403],
  ] as const) {
    const answers = [
      await client.get(`${PATH}/${id}`),
      await put(client, id, 0, file.subarray(0, PART)),
      await client.post(`${PATH}/${id}/complete`, ''),
      await client.delete(`${PATH}/${id}`),
    ];
    assert.equal(
      answers.map((answer) => answer.status),
      [status, status, status, status],
    );
  }
  const own = await world.owner.client.delete(`${PATH}/${id}`);
  assert.equal(own.body, { deleted: true });
  assert.is((await world.owner.client.delete(`${PATH}/${id}`)).status, 404);
});

parts("count towards the project's storage, and there are at most a hundred uploads", async ({ test }) => {
  const world = await buildWorld(test);
  await setPlan(world, { symbolBytes: 1_000_000 });
  const { client } = world.owner;
  const announce = (size_bytes: number) => client.post(PATH, announcedOf(randomBytes(8), { size_bytes }));
  assert.is((await announce(900_000)).status, 201);
  const full = await announce(200_000);
  assert.is(full.status, 402, full.text);
  assert.match(full.text, /"quota_exceeded"/);
  assert.is((await announce(1)).status, 201);
  // As if it had been announced under other hashes 97 more times.
  const { rowCount } = await test.app.pool.query(
    `insert into symbol_upload
     select (jsonb_populate_record(null::symbol_upload, to_jsonb(u) || jsonb_build_object('id', u.id || n, 'sha256', md5(n::text)))).*
       from symbol_upload u cross join generate_series(1, 97) n where u.project_id = $1 and u.size_bytes = 1`,
    [world.projectId],
  );
  assert.is(rowCount, 97);
  assert.is((await announce(1)).status, 201, 'the hundredth');
  const many = await announce(1);
  assert.is(many.status, 409);
  assert.match(many.text, /"too_many_uploads".*100 open uploads/);
});

parts(
  'are checked against the quota again when complete, and need a project if there are several',
  async ({ test }) => {
    const world = await buildWorld(test);
    const { client } = world.owner;
    const file = randomBytes(1_000);
    const { id } = await begin(client, file);
    await put(client, id, 0, file);
    await setPlan(world, { symbolBytes: 10 });
    const full = await client.post(`${PATH}/${id}/complete`, '');
    assert.is(full.status, 402, full.text);
    assert.match(full.text, /"quota_exceeded"/);
    await client.graphql('mutation { createProject(input: { name: "Second" }) { id } }');
    const none = await client.post(PATH, announcedOf(file));
    assert.is(none.status, 400);
    assert.match(none.text, /"project_required"/);
  },
);

parts('are forgotten a day after the last one', async ({ test, world }) => {
  const { clock } = test;
  const { client } = world.owner;
  const file = someFile();
  const { id } = await begin(client, file);
  clock.advance(20 * 3_600_000);
  await put(client, id, 0, file.subarray(0, PART));
  clock.advance(20 * 3_600_000);
  await test.app.services.resumableUploads.deleteExpired();
  assert.is((await client.get(`${PATH}/${id}`)).status, 200);
  assert.is((await objectKeys(test, `symbol-uploads/${id}`)).length, 1);
  clock.advance(5 * 3_600_000);
  assert.is((await client.get(`${PATH}/${id}`)).status, 404, 'before the clean-up already');
  await test.app.services.resumableUploads.deleteExpired();
  assert.equal(await objectKeys(test, `symbol-uploads/${id}`), []);
});

parts('survive a lost answer to their COMMIT, and so does what they become', async ({ test, world }) => {
  const { client } = world.owner;
  const file = someFile();
  const { id } = await begin(client, file);
  await put(client, id, PART, file.subarray(PART));
  const lost = await losingCommitsTo('symbol_upload_part', () => put(client, id, 0, file.subarray(0, PART)));
  assert.is(lost.status, 503, lost.text);
  assert.is(uploadOf(await client.get(`${PATH}/${id}`)).received_bytes, file.length);
  const complete = () => client.post(`${PATH}/${id}/complete`, '');
  assert.is((await losingCommitsTo('symbol_artifact', complete)).status, 503);
  const artifact = artifactOf(await complete());
  const { symbolArtifact } = await client.graphql<{ symbolArtifact: { downloadUrl: string } }>(
    'query($id: ID!) { symbolArtifact(id: $id) { downloadUrl } }',
    { id: artifact.id },
  );
  const { pathname, search } = new URL(symbolArtifact.downloadUrl);
  const bytes = new Uint8Array(await (await fetch(test.baseUrl + pathname + search)).arrayBuffer());
  assert.is(hex(bytes), hex(file));
});

parts('are kept while something in front of the bucket answers 404', async () => {
  const bucket = await startBucketServer();
  let isLost = false;
  const front = createServer((request, response) => {
    if (isLost) {
      request.resume();
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>no such host</html>');
      return;
    }
    const { method, headers } = request;
    const onward = httpRequest(`${bucket.settings.S3_ENDPOINT}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  const settings = { ...bucket.settings, S3_ENDPOINT: await openLocally(front) };
  const test = await openTestApp({ settings });
  try {
    const { client } = (await buildWorld(test)).owner;
    const file = randomBytes(1_000);
    const { id } = await begin(client, file);
    isLost = true;
    assert.is((await put(client, id, 0, file)).status, 503);
    isLost = false;
    assert.is((await put(client, id, 0, file)).status, 200);
    isLost = true;
    assert.is((await client.post(`${PATH}/${id}/complete`, '')).status, 503);
    isLost = false;
    assert.is((await client.post(`${PATH}/${id}/complete`, '')).status, 201);
  } finally {
    await test.close();
    front.close();
    front.closeAllConnections();
    await bucket.close();
  }
});

parts.run();
