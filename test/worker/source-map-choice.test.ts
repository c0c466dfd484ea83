import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildProject, buildWorld, type World } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';
import { artifactOf, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const choice = appSuite<{ first: World }>('which source map a frame is read with', { worker: true });

choice.before(async (context) => {
  context.first = await buildWorld(context.test);
});

interface Stored {
  /** Becomes the map's only source, so that a frame shows which map it was read with. */
  source: string;
  key?: string;
  release?: string;
  debugId?: string;
}

const DEBUG_ID = '85314830-023f-4cf1-a267-535f4e37bb17';

/** Uploads maps in this order and waits until all are read. */
async function store({ owner, projectId }: World, maps: Stored[]): Promise<void> {
  const waiting = new Set<string>();
  for (const { source, key, release = '', debugId } of maps) {
    const bytes = JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA', debugId });
    const fields = { kind: 'js_sourcemap', project_id: projectId, release, ...(key ? { match_key: key } : {}) };
    waiting.add(artifactOf(await uploadSymbols(owner.client, { name: 'index.js.map', bytes }, fields)).id);
  }
  await until('all maps are read', async () => {
    const { symbolArtifacts } = await owner.client.graphql<{
      symbolArtifacts: { nodes: { id: string; indexedAt: string }[] };
    }>('query($p: ID) { symbolArtifacts(projectId: $p, first: 100) { nodes { id indexedAt } } }', { p: projectId });
    for (const { id, indexedAt } of symbolArtifacts.nodes) if (indexedAt) waiting.delete(id);
    return waiting.size === 0;
  });
}

/** The sources of frames at the first character of these files; null for a frame without a map. */
async function sourcesOf(world: World, files: string[], fields: object = {}, column = 1): Promise<(string | null)[]> {
  const frames = files.map((file) => ({ function: 'f', file, line: 1, column }));
  const event = { event_id: randomUUID(), platform: 'javascript', exception: { type: 'E', frames }, ...fields };
  await world.live.post('/api/catch/events', event);
  return until('the event is symbolicated', async () => {
    const { crashEvents } = await world.owner.client.graphql<{
      crashEvents: { nodes: { id: string; status: string; frames: { file: string; status: string }[] }[] };
    }>('query($p: ID!) { crashEvents(projectId: $p) { nodes { id status frames { file status } } } }', {
      p: world.projectId,
    });
    const found = crashEvents.nodes.find(({ id, status }) => id === event.event_id && status !== 'pending');
    return found?.frames.map(({ file, status }) => (status === 'symbolicated' ? file : null));
  });
}

choice(
  'the exact path wins over a common suffix, and that over the bare name, however new the others are',
  async ({ first }) => {
    const maps = [
      { source: 'c.ts', key: '/static/c/index.js' },
      { source: 'd.ts', key: '/static/d/index.js' },
      { source: 'end.ts', key: 'dist/e/index.js' },
      { source: 'bare.ts', key: 'index.js' },
    ];
    const files = [
      'https://cdn.example.com/static/c/index.js?v=3',
      '/static/d/index.js#x',
      'webpack://app/./static/d/index.js',
      'C:\\build\\static\\c\\index.js',
      '~/static/c/index.js',
      'https://cdn.example.com/static/e/index.js',
      'app:///static/f/index.js',
      'index.js',
      '/static/c/other.js',
    ];
    const expected = ['c.ts', 'd.ts', 'd.ts', 'c.ts', 'c.ts', 'end.ts', 'bare.ts', 'bare.ts', null];
    for (const order of [maps, maps.toReversed()]) {
      const world = await buildProject(first);
      await store(world, order);
      assert.equal(await sourcesOf(world, files), expected);
    }
  },
);

choice('a crash that arrives while a new map is being read gets that map', async ({ test, first }) => {
  const world = await buildProject(first);
  await store(world, [{ source: 'old.ts', key: 'index.js', release: '1' }]);
  const held = await test.app.pool.connect();
  let uploaded: Promise<void>;
  try {
    // Nothing that is read can be indexed meanwhile.
    await held.query('begin; lock table symbol_table in share mode');
    uploaded = store(world, [{ source: 'new.ts', key: 'index.js', release: '1' }]);
    await until('the new map is uploaded', async () => {
      const { rowCount } = await held.query('select from symbol_artifact where project_id = $1', [world.projectId]);
      return rowCount === 2;
    });
    assert.equal(await sourcesOf(world, ['/a/index.js'], { release: '1' }), ['old.ts']);
  } finally {
    await held.query('rollback');
    held.release();
  }
  await uploaded;
  await until('the crash is read with the new map', async () => {
    const { crashEvents } = await world.owner.client.graphql<{
      crashEvents: { nodes: { frames: { file: string }[] }[] };
    }>('query($p: ID!) { crashEvents(projectId: $p) { nodes { frames { file } } } }', { p: world.projectId });
    return crashEvents.nodes[0]?.frames[0]?.file === 'new.ts';
  });
});

choice('column 0 is the first column, and there is none before it', async ({ first }) => {
  const world = await buildProject(first);
  await store(world, [{ source: 'd.ts', key: '/static/d/index.js' }]);
  assert.equal(await sourcesOf(world, ['/static/d/index.js'], {}, 0), ['d.ts']);
  assert.equal(await sourcesOf(world, ['/static/d/index.js'], {}, -1), [null]);
});

choice('a map from another folder is not used', async ({ first }) => {
  const world = await buildProject(first);
  await store(world, [{ source: 'd.ts', key: '/static/d/index.js' }]);
  assert.equal(await sourcesOf(world, ['/static/c/index.js']), [null]);
});

choice('a debug id wins over every path, whatever the bundle is called', async ({ first }) => {
  const world = await buildProject(first);
  await store(world, [
    { source: 'id.ts', key: 'old/name.js', debugId: DEBUG_ID },
    { source: 'path.ts', key: '/static/c/index.js' },
  ]);
  const images = [{ type: 'sourcemap', debug_id: DEBUG_ID, code_file: 'https://cdn.example.com/static/c/index.js' }];
  assert.equal(await sourcesOf(world, ['https://cdn.example.com/static/c/index.js?v=3'], { debug_images: images }), [
    'id.ts',
  ]);
});

choice('a map with another debug id is not used by its path; one without an id is', async ({ first }) => {
  const other = DEBUG_ID.replace('85314830', '00000000');
  const file = '/static/c/index.js';
  const images = [{ type: 'sourcemap', debug_id: DEBUG_ID, code_file: file }];
  const world = await buildProject(first);
  await store(world, [{ source: 'other.ts', key: file, debugId: other }]);
  assert.equal(await sourcesOf(world, [file], { debug_images: images }), [null]);
  assert.equal(await sourcesOf(world, [file]), ['other.ts'], 'an event that names no id');
  await store(world, [{ source: 'none.ts', key: file }]);
  assert.equal(await sourcesOf(world, [file], { debug_images: images }), ['none.ts']);
});

choice(
  'among equals the map of the release wins, then the last upload; another release’s never does',
  async ({ first }) => {
    const world = await buildProject(first);
    await store(world, [
      { source: 'old.ts', key: '/a/index.js', release: '1' },
      { source: 'new.ts', key: '/a/index.js', release: '1' },
      { source: 'any.ts', key: '/a/index.js' },
      { source: 'two.ts', key: '/a/index.js', release: '2' },
      { source: 'bare.ts', key: 'index.js', release: '3' },
    ]);
    const read = (release: string) => sourcesOf(world, ['/a/index.js'], { release });
    assert.equal(await read('1'), ['new.ts']);
    assert.equal(await read('2'), ['two.ts']);
    assert.equal(await read('3'), ['any.ts']);
    await store(world, [{ source: 'old.ts', key: '/a/index.js', release: '1' }]);
    assert.equal(await read('1'), ['old.ts'], 'the same bytes again');
  },
);

choice('later symbols reach events under every form of the name', async ({ first }) => {
  const world = await buildProject(first);
  assert.equal(await sourcesOf(world, ['https://cdn.example.com/static/C/Index.js']), [null]);
  await store(world, [{ source: 'late.ts', key: '/static/c/index.js' }]);
  const shown = await until('the event is read again', async () => {
    const { crashEvents } = await world.owner.client.graphql<{
      crashEvents: { nodes: { frames: { file: string }[] }[] };
    }>('query($p: ID!) { crashEvents(projectId: $p) { nodes { frames { file } } } }', { p: world.projectId });
    const file = crashEvents.nodes[0]?.frames[0]?.file;
    return file?.endsWith('.ts') && file;
  });
  assert.is(shown, 'late.ts');
});

choice.run();
