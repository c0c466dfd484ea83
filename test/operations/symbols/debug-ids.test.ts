import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { fileOf } from '../../../src/sdk/core/stack-lines.js';
import type { World } from '../../support/factories/factories.js';
import { worldPerTestSuite } from '../../support/factories/world-suite.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import { buildBundle, THROWN, type Thrown } from '../../support/symbols/thrown-bundle.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

const ids = worldPerTestSuite<{ folder: string }>('debug ids from the bundle to the frame', { worker: true });
folderPerTest(ids);

interface EventNode {
  symbolication: string;
  stacktrace: string | null;
  frames: {
    function: string | null;
    file: string | null;
    line: number | null;
    context: { before: string[]; line: string; after: string[] } | null;
  }[];
}

/** The event, once `isDone` returns true for it. */
function eventOnce(world: World, id: string, isDone: (event: EventNode) => boolean): Promise<EventNode> {
  return until('the event is read', async () => {
    const { crashEvent } = await world.owner.client.graphql<{ crashEvent: EventNode }>(
      `query($p: ID!, $id: ID!) { crashEvent(projectId: $p, id: $id) {
         symbolication stacktrace frames { function file line context { before line after } } } }`,
      { p: world.projectId, id },
    );
    return isDone(crashEvent) && crashEvent;
  });
}

const isRead = ({ symbolication }: EventNode): boolean => symbolication !== 'pending';

/**
 * Reports what a bundle threw as the client library does, under a path that gives nothing away. Returns the event's id.
 */
async function reported(world: World, { name, message, stack, ids: known }: Thrown): Promise<string> {
  const images = Object.entries(known).map(([key, debug_id]) => ({
    type: 'sourcemap',
    debug_id,
    code_file: fileOf(key),
  }));
  const id = randomUUID();
  const event = { event_id: id, platform: 'javascript', raw_stacktrace: stack, debug_images: images };
  const sent = await world.live.post('/api/catch/events', { ...event, exception: { type: name, value: message } });
  assert.is(sent.status, 200, sent.text);
  return id;
}

function isTheSource({ symbolication, stacktrace, frames }: EventNode, what: string): void {
  const [top, next] = frames;
  assert.is.not(symbolication, 'unsymbolicated', what);
  assert.is(top?.function, THROWN.function, what);
  assert.match(top?.file ?? '', THROWN.file, what);
  assert.is(top?.line, THROWN.line, what);
  assert.is(top?.context?.line, THROWN.text, what);
  assert.is(top?.context?.before[0], '// What things cost.', what);
  assert.is(top?.context?.after.length, 3, what);
  assert.is(next?.function, 'checkout', what);
  assert.match(
    stacktrace ?? '',
    /RangeError: no price\n {4}at totalOf \(.*src\/price\.js:6:\d+\)\n {4}at checkout/,
    what,
  );
}

/** Injects and uploads a bundle; the maps are uploaded under names that match no path. */
async function publish(test: TestApp, world: World, bundle: string, says = /^1 injected, 0 unchanged/): Promise<void> {
  const env = { QUARTERDECK_URL: test.baseUrl, QUARTERDECK_TOKEN: world.owner.token };
  const injected = await symbolsCommand({ env }, 'inject', dirname(bundle));
  assert.is(injected.code, 0, injected.out);
  assert.match(injected.messages, says);
  const sent = await symbolsCommand({ env }, 'upload', '--match-key', `${randomUUID()}.js`, dirname(bundle));
  assert.is(sent.code, 0, sent.out);
}

const inNode = (program: string): Thrown => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.ok(stdout, stderr);
  return JSON.parse(stdout) as Thrown;
};

ids('a bundle that throws in Node is found by its id, as a module and as CommonJS', async ({ test, world, folder }) => {
  for (const format of ['es', 'cjs'] as const) {
    const bundle = await buildBundle(folder, format, 'hidden');
    await publish(test, world, bundle);
    const load = `await import(${JSON.stringify(pathToFileURL(bundle).href)})`;
    const thrown = inNode(`${load}; process.stdout.write(JSON.stringify(globalThis.pay()))`);
    isTheSource(await eventOnce(world, await reported(world, thrown), isRead), format);
  }
});

ids('an event is processed again when the map for its debug id arrives later, under another name', async (context) => {
  const { test, world, folder } = context;
  const bundle = await buildBundle(folder, 'es', 'hidden');
  const env = { QUARTERDECK_URL: test.baseUrl, QUARTERDECK_TOKEN: world.owner.token };
  assert.is((await symbolsCommand({ env }, 'inject', dirname(bundle))).code, 0);
  const load = `await import(${JSON.stringify(pathToFileURL(bundle).href)})`;
  const id = await reported(world, inNode(`${load}; process.stdout.write(JSON.stringify(globalThis.pay()))`));
  assert.is((await eventOnce(world, id, isRead)).symbolication, 'unsymbolicated');
  await publish(test, world, bundle, /^0 injected, 1 unchanged/);
  isTheSource(
    await eventOnce(world, id, (event) => isRead(event) && event.symbolication !== 'unsymbolicated'),
    'later',
  );
});

ids(
  'check uses script ids to tell a build from an earlier one, whatever release is named',
  async ({ test, world, folder }) => {
    const env = { QUARTERDECK_URL: test.baseUrl, QUARTERDECK_TOKEN: world.owner.token };
    const run = (verb: string, ...args: string[]) => symbolsCommand({ env }, verb, ...args, folder);
    const build = async (code: string) => {
      await writeFile(join(folder, 'app.js'), `${code};\n//# sourceMappingURL=app.js.map\n`);
      const map = { version: 3, sources: ['app.ts'], sourcesContent: [code], names: [], mappings: 'AAAA' };
      await writeFile(join(folder, 'app.js.map'), JSON.stringify(map));
      const { code: ended, out } = await run('inject');
      assert.is(ended, 0, out);
    };
    await build('first()');
    const sent = await run('upload', '--release', '1');
    assert.is(sent.code, 0, sent.out);
    for (const release of ['1', '2']) {
      const checked = await run('check', '--release', release);
      assert.is(checked.code, 0, checked.out);
    }
    await build('second()');
    const missing = await run('check', '--release', '1');
    assert.is(missing.code, 1, missing.out);
    assert.match(missing.out, /^missing .*app\.js/);
  },
);

ids.run();
