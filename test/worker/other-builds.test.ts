import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import type { World } from '../support/factories/factories.js';
import { worldPerTestSuite } from '../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const builds = worldPerTestSuite('symbols of other builds of a release', { worker: true });

const RELEASE = '3.0';
const UUID = '3f6ad4f2-c1b8-4ed2-a3f1-f1b0cc3b3b60';

const mapping = (name: string, id: string | null) =>
  `# compiler: R8\n${id === null ? '' : `# pg_map_id: ${id}\n`}shop.${name} -> a.b:\n    1:3:void add():41:43 -> a\n`;

/** Uploads a file and waits until it is read. */
async function store(
  { owner }: World,
  bytes: string | Buffer,
  fields: { kind: string; match_key?: string },
): Promise<void> {
  const { id } = artifactOf(
    await uploadSymbols(owner.client, { name: 'file', bytes }, { release: RELEASE, ...fields }),
  );
  await until('the file is read', async () => {
    const { symbolArtifacts } = await owner.client.graphql<{
      symbolArtifacts: { nodes: { id: string; indexedAt: string | null }[] };
    }>('query { symbolArtifacts(first: 100) { nodes { id indexedAt } } }');
    return symbolArtifacts.nodes.some((node) => node.id === id && node.indexedAt !== null);
  });
}

async function report({ live }: World, fields: object): Promise<string> {
  const id = randomUUID();
  assert.is((await live.post('/api/catch/events', { event_id: id, release: RELEASE, ...fields })).status, 200);
  return id;
}

interface Read {
  id: string;
  status: string;
  frames: { module: string | null; function: string | null }[];
}

/** The event once it has been read as wanted. */
function read({ owner, projectId }: World, id: string, wanted: (event: Read) => boolean): Promise<Read> {
  return until('the event is read', async () => {
    const { crashEvents } = await owner.client.graphql<{ crashEvents: { nodes: Read[] } }>(
      'query($p: ID!) { crashEvents(projectId: $p) { nodes { id status frames { module function } } } }',
      { p: projectId },
    );
    return crashEvents.nodes.find((event) => event.id === id && event.status !== 'pending' && wanted(event));
  });
}

const classOf = async (world: World, id: string, status: string): Promise<string | null | undefined> =>
  (await read(world, id, (event) => event.status === status)).frames[0]?.module;

async function missingOf({ owner, projectId }: World): Promise<string[]> {
  const { missingSymbols } = await owner.client.graphql<{ missingSymbols: { key: string }[] }>(
    'query($p: ID!) { missingSymbols(projectId: $p) { key } }',
    { p: projectId },
  );
  return missingSymbols.map(({ key }) => key).toSorted();
}

const java = (file: string, images: object[] = []) => ({
  platform: 'android',
  exception: { type: 'E', value: 'v', frames: [{ module: 'a.b', function: 'a', file, line: 2 }] },
  debug_images: images,
});

builds(
  'a mapping with another map id does not read a crash, and the right one does when it arrives',
  async ({ world }) => {
    await store(world, mapping('Other', 'bbbbbbb'), { kind: 'android_mapping' });
    const named = await report(world, java('r8-map-id-aaaaaaa'));
    const plain = await report(world, java('SourceFile'));
    assert.is(await classOf(world, plain, 'symbolicated'), 'shop.Other', 'a crash without an id is read by release');
    assert.is(await classOf(world, named, 'unsymbolicated'), 'a.b');
    assert.equal(await missingOf(world), [RELEASE, 'aaaaaaa']);
    await store(world, mapping('Cart', 'aaaaaaa'), { kind: 'android_mapping' });
    assert.is(await classOf(world, named, 'symbolicated'), 'shop.Cart');
    assert.equal(await missingOf(world), []);
  },
);

builds('a mapping without an id reads crashes of its release until the one they name arrives', async ({ world }) => {
  await store(world, mapping('Bare', null), { kind: 'android_mapping' });
  const named = await report(world, java('r8-map-id-aaaaaaa'));
  assert.is(await classOf(world, named, 'symbolicated'), 'shop.Bare');
  assert.equal(await missingOf(world), ['aaaaaaa']);
  await store(world, mapping('Cart', 'aaaaaaa'), { kind: 'android_mapping' });
  await read(world, named, ({ frames }) => frames[0]?.module === 'shop.Cart');
});

builds('a UUID says nothing about a map id, but rules out another UUID', async ({ world }) => {
  await store(world, mapping('Other', 'bbbbbbb'), { kind: 'android_mapping' });
  const named = await report(world, java('SourceFile', [{ type: 'proguard', debug_id: UUID }]));
  assert.is(await classOf(world, named, 'symbolicated'), 'shop.Other');
  await store(world, mapping('Cart', 'ccccccc'), { kind: 'android_mapping', match_key: UUID });
  await read(world, named, ({ frames }) => frames[0]?.module === 'shop.Cart');

  const other = await report(world, java('SourceFile', [{ type: 'proguard', debug_id: UUID.replace('3', '4') }]));
  assert.is(await classOf(world, other, 'symbolicated'), 'shop.Other');
});

builds('Flutter symbols with another build id do not read a crash; those without one do', async ({ test, world }) => {
  const built = 'test/fixtures/symbols/native/built/dart-arm64.symbols';
  const { traces } = JSON.parse(gunzipSync(readFileSync(`${built}.traces.json.gz`)).toString()) as {
    traces: { trace: string }[];
  };
  const trace = traces[0]?.trace.split('\n').slice(0, 9).join('\n') ?? '';
  const own = /build_id: '([0-9a-f]+)'/.exec(trace)?.[1] ?? '';
  const id = own.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const flutter = (raw: string) => ({ platform: 'flutter', raw_stacktrace: raw });
  await store(world, gunzipSync(readFileSync(`${built}.gz`)), { kind: 'flutter_symbols' });
  const ownCrash = await report(world, flutter(trace));
  const other = await report(world, flutter(trace.replace(own, id)));
  const unnamed = await report(world, flutter(trace.replace(/^build_id.*\n/m, '')));
  for (const event of [ownCrash, unnamed]) await read(world, event, ({ status }) => status === 'symbolicated');
  await read(world, other, ({ status }) => status === 'unsymbolicated');
  assert.equal(await missingOf(world), [id]);

  await test.app.pool.query(`update symbol_table set keys = '{app.ios-arm64}' where project_id = $1`, [
    world.projectId,
  ]);
  const bare = await report(world, flutter(trace.replace(own, id)));
  await read(world, bare, ({ status }) => status === 'symbolicated');
  assert.equal(await missingOf(world), [id]);
});

builds.run();
