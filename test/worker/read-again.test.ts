import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { World } from '../support/factories/factories.js';
import { worldPerTestSuite } from '../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const again = worldPerTestSuite('crashes that are symbolicated again', { worker: true });

interface Read {
  id: string;
  status: string;
  title: string;
  exceptionType: string | null;
  stacktrace: string | null;
  issueId: string;
  frames: { function: string | null; file: string | null; line: number | null; status: string }[];
}

async function report({ live }: World, fields: object): Promise<string> {
  const id = randomUUID();
  const { status, text } = await live.post('/api/catch/events', { event_id: id, release: '1', ...fields });
  assert.is(status, 200, text);
  return id;
}

/** The event once it is read as wanted. */
const read = ({ owner, projectId }: World, id: string, wanted: (event: Read) => boolean): Promise<Read> =>
  until('the event is read', async () => {
    const { crashEvents } = await owner.client.graphql<{ crashEvents: { nodes: Read[] } }>(
      `query($p: ID!) { crashEvents(projectId: $p) { nodes {
         id status title exceptionType stacktrace issueId frames { function file line status } } } }`,
      { p: projectId },
    );
    return crashEvents.nodes.find((event) => event.id === id && event.status !== 'pending' && wanted(event));
  });

async function store({ owner }: World, name: string, bytes: string, kind: string): Promise<string> {
  return artifactOf(await uploadSymbols(owner.client, { name, bytes }, { kind, release: '1' })).id;
}

/** All events, on request. */
const readAgain = ({ owner, projectId }: World) =>
  owner.client.graphql('mutation($i: ReprocessCrashEventsInput!) { reprocessCrashEvents(input: $i) { events } }', {
    i: { projectId },
  });

const mapOf = (source: string) =>
  JSON.stringify({ version: 3, sources: [source], names: ['loadBasket'], mappings: 'AAAAA' });

const MAPPING = `com.pizza.cart.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.kt"}
    1:3:void com.pizza.cart.Price.parse(java.lang.String):20:22 -> a
    1:3:void add(java.lang.String):41 -> a
com.pizza.cart.EmptyCartException -> a.c:
`;
const JAVA = {
  platform: 'android',
  exception: { type: 'a.c', value: 'empty', frames: [{ module: 'a.b', function: 'a', file: 'SourceFile', line: 2 }] },
};

again('frames stay symbolicated when their symbols are deleted and others arrive', async ({ world }) => {
  const frames = ['app', 'vendor'].map((name) => ({ function: 'f', file: `/${name}.min.js`, line: 1, column: 1 }));
  const app = await store(world, 'app.min.js.map', mapOf('app.ts'), 'js_sourcemap');
  const id = await report(world, { platform: 'javascript', exception: { type: 'E', value: 'v', frames } });
  const before = await read(world, id, ({ status }) => status === 'partial');
  await world.owner.client.delete(`/api/v1/catch/symbols/${app}`);
  await store(world, 'vendor.min.js.map', mapOf('vendor.ts'), 'js_sourcemap');
  const after = await read(world, id, (event) => event.frames[1]?.status === 'symbolicated');
  assert.equal(
    after.frames.map(({ file, status }) => [file, status]),
    [
      ['app.ts', 'symbolicated'],
      ['vendor.ts', 'symbolicated'],
    ],
  );
  assert.equal(after.frames[0], before.frames[0]);
  assert.is(after.status, 'symbolicated');
});

again('on request, a crash whose symbols were deleted reads as before', async ({ world }) => {
  const mapping = await store(world, 'mapping.txt', MAPPING, 'android_mapping');
  const script = await store(world, 'app.min.js.map', mapOf('app.ts'), 'js_sourcemap');
  const ids = [
    await report(world, JAVA),
    await report(world, {
      platform: 'android',
      raw_stacktrace: 'a.c: empty\n\tat a.b.a(SourceFile:2)\n\tat x.Y.z(Y.java:1)',
    }),
    await report(world, {
      platform: 'javascript',
      raw_stacktrace: 'E: x\n    at f (/app.min.js:1:1)\n    at g (/b.js:1:1)',
    }),
  ];
  const before = [];
  for (const id of ids) before.push(await read(world, id, ({ status }) => status !== 'unsymbolicated'));
  assert.is(before[0]?.title, 'com.pizza.cart.EmptyCartException: empty');
  assert.equal(
    before.map(({ frames }) => frames.length),
    [2, 3, 2],
  );
  for (const id of [mapping, script]) await world.owner.client.delete(`/api/v1/catch/symbols/${id}`);
  await readAgain(world);
  for (const event of before) assert.equal(await read(world, event.id, () => true), event);
});

again('the title shows the original name of its exception, however often it is read', async ({ world }) => {
  await store(world, 'mapping.txt', MAPPING.replaceAll('EmptyCartException', 'WrongException'), 'android_mapping');
  const id = await report(world, JAVA);
  assert.is(
    (await read(world, id, ({ status }) => status === 'symbolicated')).title,
    'com.pizza.cart.WrongException: empty',
  );
  await readAgain(world);
  assert.is((await read(world, id, () => true)).title, 'com.pizza.cart.WrongException: empty');
  await store(world, 'mapping.txt', MAPPING, 'android_mapping');
  await until('the right mapping is read', async () => {
    await readAgain(world);
    return (await read(world, id, () => true)).title === 'com.pizza.cart.EmptyCartException: empty';
  });
});

again.run();
