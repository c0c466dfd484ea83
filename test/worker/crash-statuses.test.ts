import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const statuses = worldSuite('statuses of crash events and their frames', { worker: true });

statuses.before(async (context) => {
  const mapping = 'com.example.Cart -> a.b:\n    1:1:void add():41:41 -> a\n';
  const fields = { kind: 'android_mapping', release: '1' };
  await uploadSymbols(context.world.owner.client, { name: 'mapping.txt', bytes: mapping }, fields);
  await until('the mapping is read', async () => {
    const { rows } = await context.test.app.pool.query('select indexed_at from symbol_artifact');
    return rows[0]?.indexed_at;
  });
});

interface Shown {
  id: string;
  status: string;
  statusReason: string | null;
  frames: { status: string; reason: string | null }[];
}

async function shown({ owner, projectId }: World): Promise<Map<string, Shown>> {
  const { crashEvents } = await owner.client.graphql<{ crashEvents: { nodes: Shown[] } }>(
    `query($p: ID!) { crashEvents(projectId: $p, first: 100) { nodes {
       id status statusReason frames { status reason } } } }`,
    { p: projectId },
  );
  return new Map(crashEvents.nodes.map((node) => [node.id, node]));
}

/** The results of events sent together, in order. */
async function settled(world: World, events: object[]): Promise<Shown[]> {
  const sent = events.map((event) => ({ event_id: randomUUID(), ...event }));
  const { status, text } = await world.live.post('/api/catch/events', { events: sent });
  assert.is(status, 200, text);
  return until('every event has a status', async () => {
    const all = await shown(world);
    const found = sent.map(({ event_id }) => all.get(event_id));
    return found.every((event) => event && event.status !== 'pending') ? (found as Shown[]) : null;
  });
}

const java = (...modules: (string | null)[]) => ({
  platform: 'android',
  release: '1',
  exception: { type: 'E', frames: modules.map((module) => ({ module, function: 'a', file: 'SourceFile', line: 1 })) },
});
const text = (platform: string, raw_stacktrace: string, release = '1') => ({ platform, release, raw_stacktrace });
const frames = (platform: string, ...given: object[]) => ({ platform, exception: { type: 'E', frames: given } });

/** An event, its status, and the statuses of its frames. */
const CASES: [what: string, event: object, status: string, frames: string[]][] = [
  ['a message', { message: 'disk full' }, 'no_frames', []],
  ['an exception without frames', { exception: { type: 'E', value: 'x' } }, 'no_frames', []],
  ['text that is no trace', text('android', 'Something went wrong\nsomewhere'), 'unsymbolicated', []],
  [
    'a trace of V8',
    text('node', 'Error: x\n    at Object.f (/app/a.js:1:2)\n    at g (node:fs:1:2)', '8'),
    'partial',
    ['missing_symbol', 'symbolicated'],
  ],
  ['a trace of Python', text('python', 'Traceback:\n  File "a.py", line 1, in f'), 'unsymbolicated', []],
  ['Java, all known', java('a.b'), 'symbolicated', ['symbolicated']],
  ['Java and the platform', java('a.b', 'java.lang.Thread'), 'symbolicated', ['symbolicated', 'symbolicated']],
  ['Java, one unknown', java('a.b', 'z.z'), 'partial', ['symbolicated', 'unknown_class']],
  ['Java, all unknown', java('z.z', 'android.support.a'), 'unsymbolicated', ['unknown_class', 'unknown_class']],
  ['Java, no class', java(null), 'unsymbolicated', ['malformed']],
  [
    'Java text, one unknown',
    text('android', 'E\n\tat a.b.a(S:1)\n\tat z.z.q(S:2)'),
    'partial',
    ['symbolicated', 'unknown_class'],
  ],
  ['Java text, all unknown', text('android', 'E\n\tat z.z.q(S:2)'), 'unsymbolicated', ['unknown_class']],
  ['Java text, no mapping', text('android', 'E\n\tat z.z.q(S:2)', '9'), 'unsymbolicated', ['missing_symbol']],
  ['names as reported', frames('python', { function: 'f', file: 'a.py' }), 'symbolicated', ['symbolicated']],
  ['empty frames', frames('python', {}, { module: 'm', line: 3 }), 'unsymbolicated', ['malformed', 'malformed']],
  ['one empty frame', frames('ruby', { function: 'f' }, {}), 'partial', ['symbolicated', 'malformed']],
  ['an address nowhere', frames('ios', { address: '0x10' }), 'unsymbolicated', ['unknown_image']],
  ['a script without place', frames('javascript', { function: 'f', file: 'a.js' }), 'unsymbolicated', ['malformed']],
];

statuses('say what is known of an event and of every frame', async ({ world }) => {
  const found = await settled(
    world,
    CASES.map(([, event]) => event),
  );
  for (const [index, [what, , status, wanted]] of CASES.entries()) {
    const event = found[index] as Shown;
    assert.is(event.status, status, what);
    assert.equal(
      event.frames.map((frame) => frame.status),
      wanted,
      what,
    );
    assert.is(event.statusReason === null, wanted.length > 0, `${what}: a reason for no frames at all`);
    for (const { status: one, reason } of event.frames) assert.is(reason === null, one === 'symbolicated', what);
  }
  const { missingSymbols } = await world.owner.client.graphql<{ missingSymbols: { kind: string; key: string }[] }>(
    'query($p: ID!) { missingSymbols(projectId: $p) { kind key } }',
    { p: world.projectId },
  );
  const wanted = [
    { kind: 'android_mapping', key: '9' },
    { kind: 'js_sourcemap', key: 'a.js' },
  ];
  assert.equal(missingSymbols, wanted, "a V8 trace needs no mapping, and Node's own frames need none at all");
});

statuses('missing symbols name the library, and those of the system come last', async ({ test }) => {
  const world = await buildWorld(test);
  const image = (digit: string, code_file: string, start: string) => ({
    type: 'macho',
    debug_id: `${digit.repeat(8)}-0000-3000-8000-00000000000${digit}`,
    code_file,
    image_addr: start,
    image_size: 4096,
    arch: 'arm64',
  });
  const debug_images = [
    image('a', '/System/Library/Frameworks/UIKit.framework/UIKit', '0x10000'),
    image('b', '/private/var/containers/Bundle/Application/1/Shop.app/Shop', '0x20000'),
    image('c', '/usr/lib/libobjc.A.dylib', '0x30000'),
  ];
  const crash = (...addresses: string[]) => ({
    ...frames('ios', ...addresses.map((address) => ({ address }))),
    debug_images,
    release: '7',
  });
  await settled(world, [crash('0x10010', '0x20010', '0x30010'), crash('0x10010')]);
  const { missingSymbols } = await world.owner.client.graphql<{ missingSymbols: object[] }>(
    'query($p: ID!) { missingSymbols(projectId: $p) { image isSystem debugId release events } }',
    { p: world.projectId },
  );
  const ids = debug_images.map(({ debug_id }) => debug_id);
  const [ui, shop, objc] = debug_images.map(({ code_file }) => code_file);
  assert.equal(missingSymbols, [
    { image: shop, isSystem: false, debugId: ids[1], release: '7', events: 1 },
    { image: ui, isSystem: true, debugId: ids[0], release: '7', events: 2 },
    { image: objc, isSystem: true, debugId: ids[2], release: '7', events: 1 },
  ]);
});

statuses('system libraries are those of the platform, and a project may hide them', async ({ test }) => {
  const world = await buildWorld(test);
  const other = await buildProject(world);
  // Whether each path belongs to the system, by platform.
  const paths: [platform: string, path: string, isSystem: boolean][] = [
    ['ios', '/System/Library/Frameworks/UIKit.framework/UIKit', true],
    ['ios', '/private/var/containers/Bundle/Application/1/Shop.app/Shop', false],
    ['android', '/apex/com.android.runtime/lib64/bionic/libc.so', true],
    ['android', '/vendor/lib64/egl/libGLES.so', true],
    ['android', '/data/app/com.shop-1/lib/arm64/libshop.so', false],
    ['linux', '/usr/lib/x86_64-linux-gnu/libc.so.6', true],
    ['linux', '/vendor/shop/bin/shop', false],
    ['linux', '/product/shop/libshop.so', false],
    ['windows', 'C:\\Windows\\System32\\ntdll.dll', true],
    ['windows', 'C:\\Program Files\\Shop\\shop.exe', false],
    ['native', '/system/lib64/libc.so', true],
  ];
  const crashes = paths.map(([platform, code_file], index) => ({
    ...frames(platform, { address: '0x10010' }),
    debug_images: [
      {
        type: 'elf',
        debug_id: `${String(index).padStart(8, 'a')}-0000-3000-8000-000000000000`,
        code_file,
        image_addr: '0x10000',
        image_size: 4096,
        arch: 'arm64',
      },
    ],
  }));
  await Promise.all([settled(world, crashes), settled(other, crashes)]);
  const missing = async ({ owner, projectId }: World) => {
    const { missingSymbols } = await owner.client.graphql<{ missingSymbols: { image: string; isSystem: boolean }[] }>(
      'query($p: ID!) { missingSymbols(projectId: $p) { image isSystem } }',
      { p: projectId },
    );
    return missingSymbols;
  };
  const all = await missing(world);
  const wanted = paths.map(([, image, isSystem]) => ({ image, isSystem }));
  const byPath = (a: { image: string }, b: { image: string }) => (a.image < b.image ? -1 : 1);
  assert.equal(all.toSorted(byPath), wanted.toSorted(byPath));
  const firstOfSystem = all.findIndex(({ isSystem }) => isSystem);
  assert.ok(
    all.slice(firstOfSystem).every(({ isSystem }) => isSystem),
    'the system’s come last',
  );
  await world.owner.client.graphql(
    'mutation($input: UpdateCrashSettingsInput!) { updateCrashSettings(input: $input) { ignoresSystemImages } }',
    { input: { projectId: world.projectId, ignoresSystemImages: true } },
  );
  assert.equal(await missing(world), all.slice(0, firstOfSystem));
  assert.equal(await missing(other), all, 'the other project still sees them');
});

statuses('a report from Apple’s systems is named after what it says happened', async ({ test }) => {
  const world = await buildWorld(test);
  const inText = `Incident Identifier: 1
Hardware Model:      iPhone14,2
Code Type:           ARM-64 (Native)
Exception Type:  EXC_BREAKPOINT (SIGTRAP)

Thread 0 Crashed:
0   Shop  \t0x0000000100000010 0x100000000 + 16

Binary Images:
0x100000000 - 0x10000ffff Shop arm64  <0000000000000000000000000000abcd> /var/containers/Bundle/Application/1/Shop.app/Shop
`;
  const body = {
    exception: { type: 'EXC_CRASH', signal: 'SIGABRT' },
    threads: [{ triggered: true, frames: [{ imageIndex: 0, imageOffset: 16 }] }],
    usedImages: [
      { base: 4294967296, size: 4096, uuid: '0000000000000000000000000000abcd', name: 'Shop', arch: 'arm64' },
    ],
  };
  const asJson = `${JSON.stringify({ bug_type: '309' })}\n${JSON.stringify(body, null, 2)}`;
  const events = await settled(world, [text('ios', inText), text('ios', asJson)]);
  assert.equal(
    events.map(({ status, frames: found }) => [status, found.map((frame) => frame.status)]),
    Array(2).fill(['unsymbolicated', ['missing_symbol']]),
  );
  const { crashEvents } = await world.owner.client.graphql<{ crashEvents: { nodes: { title: string }[] } }>(
    'query($p: ID!) { crashEvents(projectId: $p) { nodes { title } } }',
    { p: world.projectId },
  );
  assert.equal(crashEvents.nodes.map(({ title }) => title).sort(), ['EXC_BREAKPOINT (SIGTRAP)', 'EXC_CRASH (SIGABRT)']);
});

statuses('a known class without the method has its own status', async ({ world }) => {
  const [event] = await settled(world, [text('android', 'E\n\tat a.b.q(S:1)')]);
  assert.equal(event?.frames, [
    { status: 'symbolicated', reason: 'The mapping contains the class, but not this method.' },
  ]);
});

statuses(
  'events that an earlier version called symbolicated without a frame are shown as they are',
  async ({ test, world }) => {
    const [message, trace] = (await settled(world, [{ message: 'x' }, text('android', 'no trace')])) as [Shown, Shown];
    await test.app.pool.query(`update crash_event set status = 'symbolicated' where event_id = any($1)`, [
      [message.id, trace.id],
    ]);
    const all = await shown(world);
    assert.equal([all.get(message.id), all.get(trace.id)], [message, trace]);
  },
);

statuses.run();
