import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphqlRefusal } from '../support/client.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { openTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** `libengine.so` with its debug information, and a different file. */
const ENGINE = gunzipSync(readFileSync('test/fixtures/symbols/native/built/arm64.debug.gz'));
const OTHER = gunzipSync(readFileSync('test/fixtures/symbols/native/built/gcc-dwarf4.so.gz'));
const BUILD_ID = 'b86b8d6eadd4511ca2d5b63e30da3cdb14a5574d';
const BASE = 0x7000000000;
/** Inside an inlined call, according to the fixture's answers. */
const INLINED_AT = 0x418;

const BREAKPAD = `MODULE Linux arm64 4D1F0C22A7B95E36803FD5AC61E4970B0 libtill.so
INFO CODE_ID 220C1F4DB9A7365E803FD5AC61E4970B
FILE 0 /src/till.cc
FILE 1 /src/coin.h
INLINE_ORIGIN 0 till::Coin::value() const
FUNC 1000 40 0 till::ring(int)
INLINE 0 21 0 0 1010 8
1000 10 20 0
1010 8 7 1
1018 28 22 0
PUBLIC 2000 0 till_start
STACK CFI INIT 1000 40 .cfa: sp 0 + .ra: x30
`;

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** The test's own symbol server: paths with their answers; everything else is missing. */
class SymbolServer {
  url = '';
  readonly asked: string[] = [];
  readonly paths = new Map<string, Reply>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.push(path);
      const reply = this.paths.get(path);
      if (reply === undefined) response.writeHead(404).end();
      else reply(request, response);
    });
  }

  async open(): Promise<void> {
    this.url = await openLocally(this.server);
  }

  close(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(closed));
  }
}

const bytes =
  (content: Uint8Array | string): Reply =>
  (_request, response) =>
    void response.end(content);

const sources = suite<{ test: TestApp; server: SymbolServer }>('symbol sources');

sources.before(async (context) => {
  context.server = new SymbolServer();
  await context.server.open();
  context.test = await openTestApp({
    worker: true,
    settings: {
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      MAX_SYMBOL_FILE_BYTES: '4000000',
      // Longer than a busy machine takes for any file that arrives.
      SYMBOL_SOURCE_TIMEOUT_MS: '8000',
    },
  });
});
sources.before.each(({ server }) => {
  server.asked.length = 0;
  server.paths.clear();
});
sources.after(async ({ test, server }) => {
  await test.close();
  await server.close();
});

interface Source {
  id: string;
  lastFoundAt: string | null;
  lastFailure: string | null;
}

const SHOWN = 'id name layout url isEnabled lastFoundAt lastFailedAt lastFailure';

async function addSource(world: World, layout: string, url: string): Promise<Source> {
  const { createSymbolSource } = await world.owner.client.graphql<{ createSymbolSource: Source }>(
    `mutation($i: CreateSymbolSourceInput!) { createSymbolSource(input: $i) { ${SHOWN} } }`,
    { i: { projectId: world.projectId, name: layout, layout, url } },
  );
  return createSymbolSource;
}

async function sourceOf(world: World, id: string): Promise<Source> {
  const { symbolSource } = await world.owner.client.graphql<{ symbolSource: Source }>(
    `query($id: ID!) { symbolSource(id: $id) { ${SHOWN} } }`,
    { id },
  );
  return symbolSource;
}

interface EventNode {
  id: string;
  status: string;
  frames: { function: string | null; file: string | null; line: number | null; inlined: boolean }[];
}

interface CrashedImage {
  debug_id: string;
  code_file: string;
  code_id?: string;
}

/** A crash at an address of the engine, or of another image. */
async function crash(world: World, image: Partial<CrashedImage> = {}, at = INLINED_AT): Promise<string> {
  const event_id = randomUUID();
  const place = { type: 'elf', image_addr: `0x${BASE.toString(16)}`, image_size: 0x10000, arch: 'arm64' };
  const { status, text } = await world.live.post('/api/catch/events', {
    event_id,
    platform: 'native',
    exception: { type: 'SIGSEGV', frames: [{ address: `0x${(BASE + at).toString(16)}` }] },
    debug_images: [{ ...place, debug_id: BUILD_ID, code_file: '/usr/lib/libengine.so', ...image }],
  });
  assert.is(status, 200, text);
  return event_id;
}

function eventually(world: World, id: string, status: string): Promise<EventNode> {
  return until(`the event to be ${status}`, async () => {
    const { crashEvent } = await world.owner.client.graphql<{ crashEvent: EventNode }>(
      'query($p: ID!, $id: ID!) { crashEvent(projectId: $p, id: $id) { id status frames { function file line inlined } } }',
      { p: world.projectId, id },
    );
    return crashEvent.status === status && crashEvent;
  });
}

/** The reported failure of a source, once its row has one. */
async function failureOf(test: TestApp, world: World, id: string): Promise<string | null> {
  const failed = 'select from symbol_source where id = $1 and last_failure is not null';
  await until('a failure', async () => (await test.app.pool.query(failed, [id])).rowCount);
  return (await sourceOf(world, id)).lastFailure;
}

const shortNames = ({ frames }: EventNode) => frames.map((frame) => [frame.function?.split('::').at(-1), frame.line]);

sources('debuginfod: a crash that lacks an image has it fetched, and reads like its source', async (context) => {
  const { test, server } = context;
  const world = await buildWorld(test);
  const source = await addSource(world, 'debuginfod', `${server.url}/symbols`);
  const path = `/symbols/buildid/${BUILD_ID}/debuginfo`;
  server.paths.set(path, (_request, response) => void response.writeHead(302, { location: '/store/1' }).end());
  server.paths.set('/store/1', bytes(ENGINE));
  const event = await eventually(world, await crash(world), 'symbolicated');
  assert.ok(event.frames.length > 1 && event.frames[0]?.inlined);
  assert.equal(event.frames[0]?.file, '/src/engine.cpp');
  assert.equal(server.asked, [path, '/store/1']);
  const { lastFoundAt, lastFailure } = await sourceOf(world, source.id);
  assert.equal([typeof lastFoundAt, lastFailure], ['string', null]);
  const { symbolArtifacts } = await world.owner.client.graphql<{ symbolArtifacts: { nodes: object[] } }>(
    'query($p: ID!) { symbolArtifacts(projectId: $p) { nodes { originalName symbolKind matchKey status } } }',
    { p: world.projectId },
  );
  const stored = { originalName: 'libengine.so.debug', symbolKind: 'android_ndk', matchKey: BUILD_ID, status: 'ready' };
  assert.equal(symbolArtifacts.nodes, [stored]);
  await eventually(world, await crash(world), 'symbolicated');
  assert.is(server.asked.length, 2, 'what is stored is not asked for again');
});

sources("Microsoft's layout and Breakpad's, asked in turn; earlier crashes are read again", async (context) => {
  const { test, server } = context;
  const world = await buildWorld(test);
  const engine = await crash(world);
  const debugId = '4D1F0C22-A7B9-5E36-803F-D5AC61E4970B-0';
  const till = await crash(world, { debug_id: debugId, code_file: '/opt/till/libtill.so' }, 0x1012);
  for (const id of [engine, till]) await eventually(world, id, 'unsymbolicated');
  server.paths.set(`/_.debug/elf-buildid-sym-${BUILD_ID}/_.debug`, bytes(ENGINE));
  server.paths.set('/libtill.so/4D1F0C22A7B95E36803FD5AC61E4970B0/libtill.so.sym', bytes(BREAKPAD));
  await addSource(world, 'microsoft', server.url);
  assert.is((await eventually(world, engine, 'symbolicated')).frames[0]?.file, '/src/engine.cpp');
  await addSource(world, 'breakpad', server.url);
  const event = await eventually(world, till, 'symbolicated');
  assert.equal(event.frames, [
    { function: 'till::Coin::value() const', file: '/src/coin.h', line: 7, inlined: true },
    { function: 'till::ring(int)', file: '/src/till.cc', line: 21, inlined: false },
  ]);
  const start = await crash(world, { debug_id: debugId, code_file: '/opt/till/libtill.so' }, 0x2004);
  assert.equal(shortNames(await eventually(world, start, 'symbolicated')), [['till_start', null]]);
});

sources("a server's missing files are remembered for a day, and not reported", async ({ test, server }) => {
  const world = await buildWorld(test);
  const source = await addSource(world, 'debuginfod', server.url);
  const path = `/buildid/${BUILD_ID}/debuginfo`;
  await eventually(world, await crash(world), 'unsymbolicated');
  await until('the question', () => server.asked.length > 0);
  const answered = () =>
    until('the answer', async () => {
      const { rows } = await test.app.pool.query(
        `select from symbol_source_answer where source_id = $1 and outcome = 'absent' and expires_at > $2`,
        [source.id, test.clock.now()],
      );
      return rows.length > 0;
    });
  await answered();
  await eventually(world, await crash(world), 'unsymbolicated');
  test.clock.advance(23 * 3_600_000);
  await eventually(world, await crash(world), 'unsymbolicated');
  assert.equal(server.asked, [path]);
  test.clock.advance(2 * 3_600_000);
  server.paths.set(path, bytes(ENGINE));
  await eventually(world, await crash(world), 'symbolicated');
  assert.is((await sourceOf(world, source.id)).lastFailure, null);
});

sources('an invalid response from a server is refused with a reason', async ({ test, server }) => {
  const path = `/buildid/${BUILD_ID}/debuginfo`;
  const replies: [string, Reply][] = [
    ['content:wrong_id', bytes(OTHER)],
    ['content:too_large', (_request, response) => void response.end(Buffer.alloc(4_000_001))],
    [
      'content:too_large',
      (_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
    ['timeout', (_request, response) => void response.write(ENGINE.subarray(0, 100))],
    ['timeout', () => undefined],
    ['status:500', (_request, response) => void response.writeHead(500).end()],
    ['redirect:too_many', (_request, response) => void response.writeHead(307, { location: path }).end()],
    [
      'address:metadata',
      (_request, response) => void response.writeHead(301, { location: 'http://169.254.169.254/latest' }).end(),
    ],
    ['connection:', (_request, response) => void response.destroy()],
  ];
  for (const [failure, reply] of replies) {
    const world = await buildWorld(test);
    const source = await addSource(world, 'debuginfod', server.url);
    server.paths.set(path, reply);
    await crash(world);
    assert.match((await failureOf(test, world, source.id)) ?? '', new RegExp(`^${failure}`));
    const { symbolArtifacts } = await world.owner.client.graphql<{ symbolArtifacts: { nodes: object[] } }>(
      'query($p: ID!) { symbolArtifacts(projectId: $p) { nodes { id } } }',
      { p: world.projectId },
    );
    assert.equal(symbolArtifacts.nodes, []);
  }
});

sources('addresses are checked when they are given, and changes are in the audit log', async ({ test }) => {
  const world = await buildWorld(test);
  const create = (url: string) =>
    addSource(world, 'debuginfod', url).then(
      () => null,
      (refusal: GraphqlRefusal) => refusal.code,
    );
  for (const url of ['ftp://a.example', 'http://10.0.0.1/', 'https://u:p@a.example', 'https://a.example/?key=1', 'x'])
    assert.is(await create(url), 'BAD_SYMBOL_SOURCE', url);
  const { id } = await addSource(world, 'debuginfod', 'https://symbols.example.com/secret');
  const change = { id, isEnabled: false, name: 'ours' };
  await world.owner.client.graphql('mutation($i: UpdateSymbolSourceInput!) { updateSymbolSource(input: $i) { id } }', {
    i: change,
  });
  await world.owner.client.graphql('mutation($i: IdInput!) { deleteSymbolSource(input: $i) { id } }', { i: { id } });
  const { rows } = await test.app.pool.query<{ kind: string; after: { url?: string } | null }>(
    `select kind, after from event_log where project_id = $1 and kind like 'catch.symbol_source.%' order by sequence`,
    [world.projectId],
  );
  const url = 'https://symbols.example.com';
  assert.equal(
    rows.map(({ kind, after }) => [kind.split('.').at(-1), after]),
    [
      ['created', { name: 'debuginfod', layout: 'debuginfod', url, isEnabled: true }],
      ['changed', { name: 'ours', layout: 'debuginfod', url, isEnabled: false }],
      ['deleted', null],
    ],
  );
});

sources.run();
