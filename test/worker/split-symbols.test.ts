import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { readObjects } from '../../src/symbols/native/read-objects.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';
import { makeZip } from '../symbols/support/make-zip.js';

const split = appSuite('debug information that is split off', { worker: true });

const FOLDER = join(process.cwd(), 'test', 'fixtures', 'symbols', 'native', 'built');
/** An address in the library's code at which a call is inlined. */
const INLINED = 0x422;

const built = (name: string): Buffer => gunzipSync(readFileSync(join(FOLDER, `${name}.gz`)));

const buildId = (name: string): string =>
  (JSON.parse(built(`${name}.answers.json`).toString()) as { slices: [{ debugId: string }] }).slices[0].debugId;

async function upload(world: World, name: string, bytes: Uint8Array): Promise<string> {
  return artifactOf(await uploadSymbols(world.owner.client, { name, bytes }, { kind: 'android_ndk' })).id;
}

/** A package that claims all units or, by its row, one; it contains those claimed unless it is hollow. */
function packageOf(name: string, row: number | 'all', isHollow = false): Buffer {
  const bytes = Buffer.from(built(name));
  const section = readObjects(bytes)[0]?.section('debug_cu_index') as Uint8Array;
  const index = Buffer.from(section.buffer, section.byteOffset, section.length);
  const [columns, units, slots] = [4, 8, 12].map((at) => index.readUInt32LE(at)) as [number, number, number];
  const rowsAt = 16 + slots * 8;
  for (let at = rowsAt; at < rowsAt + slots * 4; at += 4) {
    if (row !== 'all' && index.readUInt32LE(at) !== row) index.writeUInt32LE(0, at);
  }
  const sizesAt = rowsAt + slots * 4 + columns * 4 + units * columns * 4;
  if (isHollow) index.fill(0, sizesAt);
  return bytes;
}

interface Artifact {
  id: string;
  status: string;
  failureReason: string | null;
  detail: string | null;
  detailReason: string | null;
}

function artifact(world: World, id: string, condition: (artifact: Artifact) => boolean): Promise<Artifact> {
  return until('the artifact', async () => {
    const { symbolArtifacts } = await world.owner.client.graphql<{ symbolArtifacts: { nodes: Artifact[] } }>(
      'query($p: ID!) { symbolArtifacts(projectId: $p) { nodes { id status failureReason detail detailReason } } }',
      { p: world.projectId },
    );
    const found = symbolArtifacts.nodes.find((node) => node.id === id);
    return found && condition(found) && found;
  });
}

async function report(world: World, debugId: string): Promise<void> {
  const base = 0x7000_0000;
  const { status, text } = await world.live.post('/api/catch/events', {
    event_id: randomUUID(),
    platform: 'linux',
    exception: { type: 'SIGSEGV', frames: [{ address: `0x${(base + INLINED).toString(16)}` }] },
    debug_images: [
      {
        type: 'elf',
        debug_id: debugId,
        code_file: 'libgame.so',
        image_addr: `0x${base.toString(16)}`,
        image_size: 4096,
        arch: 'x86_64',
      },
    ],
  });
  assert.is(status, 200, text);
}

interface Frame {
  function: string;
  signature: string | null;
  file: string | null;
  line: number | null;
  status: string;
  reason: string | null;
}

function framesOnce(world: World, condition: (frames: Frame[]) => boolean): Promise<Frame[]> {
  return until('the frames', async () => {
    const { crashEvents } = await world.owner.client.graphql<{
      crashEvents: { nodes: { status: string; frames: Frame[] }[] };
    }>(
      'query($p: ID!) { crashEvents(projectId: $p) { nodes { status frames { function signature file line status reason } } } }',
      { p: world.projectId },
    );
    const [event] = crashEvents.nodes;
    return event && event.status !== 'pending' && condition(event.frames) && event.frames;
  });
}

split('a library alone gives names, and lines once its package arrives', async ({ test }) => {
  const world = await buildWorld(test);
  const library = await upload(world, 'libgame.so', built('split.so'));
  const alone = await artifact(world, library, ({ detail }) => detail !== null);
  assert.is(alone.detail, 'names');
  assert.match(alone.detailReason ?? '', /in separate files \(engine\.dwo and 1 more\).*upload the package \(\.dwp\)/);
  await report(world, buildId('split.so'));
  const [named, ...none] = await framesOnce(world, (frames) => frames[0]?.status === 'symbolicated');
  assert.equal(none, []);
  assert.equal([named?.function, named?.file, named?.line], ['game::Engine::step(int)', null, null]);
  assert.match(named?.reason ?? '', /contain only the name/);

  const packaged = await upload(world, 'libgame.so.dwp', built('split.dwp'));
  assert.is((await artifact(world, packaged, ({ detail }) => detail !== null)).detail, 'full');
  const whole = await artifact(world, library, ({ detail }) => detail === 'full');
  assert.is(whole.detailReason, null);
  const frames = await framesOnce(world, ({ length }) => length === 2);
  assert.equal(
    frames.map(({ function: name, signature, line, reason }) => [name, signature, line, reason]),
    [
      ['game::(anonymous namespace)::clamp', 'game::(anonymous namespace)::clamp(int, int)', 7, null],
      ['game::Engine::step', 'game::Engine::step(int)', 15, null],
    ],
  );
});

split('a package that is there first, or in the same zip, is found', async ({ test }) => {
  const world = await buildWorld(test);
  const packaged = await upload(world, 'libgame.so.dwp', built('split4.dwp'));
  await artifact(world, packaged, ({ detail }) => detail !== null);
  const library = await upload(world, 'libgame.so', built('split4.so'));
  assert.is((await artifact(world, library, ({ detail }) => detail !== null)).detail, 'full');
  const zipped = makeZip([
    { name: 'lib/libshop.so', data: built('packed-gcc.so') },
    { name: 'lib/libshop.so.dwp', data: built('packed-gcc.dwp') },
  ]);
  const both = await upload(world, 'symbols.zip', zipped);
  assert.is((await artifact(world, both, ({ detail }) => detail !== null)).detail, 'full');
});

split('units in two packages are found in both, in every order of upload', async ({ test }) => {
  const files: [name: string, bytes: Buffer][] = [
    ['one.dwp', packageOf('split.dwp', 1)],
    ['two.dwp', packageOf('split.dwp', 2)],
    ['libgame.so', built('split.so')],
  ];
  for (const order of [
    [0, 1, 2],
    [1, 2, 0],
  ]) {
    const world = await buildWorld(test);
    const ids: string[] = [];
    for (const place of order) {
      const [name, bytes] = files[place] as [string, Buffer];
      ids[place] = await upload(world, name, bytes);
      await artifact(world, ids[place], ({ detail }) => detail !== null);
    }
    const isWhole = ({ detail, detailReason }: Artifact) => detail === 'full' && detailReason === null;
    await artifact(world, ids[2] as string, isWhole);
  }
});

split('packages without the units they claim hide no others, and are tried once', async ({ test }) => {
  const world = await buildWorld(test);
  const packages = [built('split4.dwp'), ...(['all', 1, 2] as const).map((row) => packageOf('split4.dwp', row, true))];
  for (const bytes of [...packages, packageOf('split.dwp', 'all', true)]) {
    await artifact(world, await upload(world, 'libgame.so.dwp', bytes), ({ detail }) => detail !== null);
  }
  const libraries = [
    await upload(world, 'libgame.so', built('split4.so')),
    await upload(world, 'libgame.so', built('split.so')),
  ];
  const details = libraries.map(async (id) => (await artifact(world, id, ({ detail }) => detail !== null)).detail);
  assert.equal(await Promise.all(details), ['full', 'names']);
  await until('the end of all conversions', async () => {
    const { rows } = await test.app.pool.query(
      "select from pgboss.job where name = 'catch.convert_symbols' and state <> 'completed'",
    );
    return rows.length === 0;
  });
});

split('a package whose file is being deleted fails no library', async ({ test }) => {
  const world = await buildWorld(test);
  const packaged = await upload(world, 'libgame.so.dwp', built('split.dwp'));
  await artifact(world, packaged, ({ detail }) => detail !== null);
  await test.app.parts.objects.delete(`symbols/${packaged}/file`);
  const library = await upload(world, 'libgame.so', built('split.so'));
  const read = await artifact(world, library, ({ status, detail }) => status === 'failed' || detail !== null);
  assert.equal([read.status, read.failureReason, read.detail], ['ready', null, 'names']);
});

split('a .dwo alone is refused, and a stripped library is marked', async ({ test }) => {
  const world = await buildWorld(test);
  const part = await upload(world, 'engine.dwo', built('engine.dwo'));
  const refused = await artifact(world, part, ({ status }) => status === 'failed');
  assert.match(refused.failureReason ?? '', /one object file \(\.dwo\)/);
  const stripped = await upload(world, 'libgame.so', built('stripped.so'));
  const marked = await artifact(world, stripped, ({ detail }) => detail !== null);
  assert.is(marked.detail, 'names');
  assert.match(marked.detailReason ?? '', /stripped.*Upload the unstripped file/);
});

split.run();
