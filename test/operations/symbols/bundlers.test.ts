import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium, launchChromium } from '../../browser/chromium.js';
import { packBrowserLibrary } from '../../browser/library-site.js';
import { buildKey, buildWorld, type World } from '../../support/factories/factories.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import {
  type FailingBundle,
  failInNode,
  framesOfSources,
  layBundles,
  pageOf,
  type SourceFrame,
  sourceLines,
} from '../../support/symbols/failing-bundles.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';

interface FrameNode {
  function: string | null;
  file: string | null;
  line: number | null;
  context: { before: string[]; line: string; after: string[] } | null;
}

interface EventNode {
  symbolication: string;
  tags: { failure: string; runtime: string };
  frames: FrameNode[];
}

interface Context {
  test: TestApp;
  world: World;
  folder: string;
  bundles: FailingBundle[];
  truth: Map<string, SourceFrame[]>;
}

const bundlers = suite<Context>('what bundlers make, found by debug ids');

/** All bundles get ids, and all maps are uploaded under names that no script has, so that only the ids lead to them. */
bundlers.before(async (context) => {
  context.test = await openTestApp({ worker: true });
  context.world = await buildWorld(context.test);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-bundlers-'));
  context.truth = await framesOfSources();
  context.bundles = await layBundles(context.folder);
  const env = { QUARTERDECK_URL: context.test.baseUrl, QUARTERDECK_TOKEN: context.world.owner.token };
  const injected = await symbolsCommand({ env }, 'inject', context.folder);
  assert.is(injected.code, 0, injected.out);
  assert.match(injected.messages, /^10 injected, 0 unchanged, 0 without a map, 0 failed/);
  const sent = await symbolsCommand({ env }, 'upload', '--url-prefix', '~/nowhere', context.folder);
  assert.is(sent.code, 0, sent.out);
  assert.match(sent.messages, /^10 usable, 0 failed/m);
});
bundlers.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

async function eventsOf({ world, truth }: Context, runtime: string): Promise<Map<string, EventNode>> {
  const read = await until('the failures are read', async () => {
    const { crashEvents } = await world.owner.client.graphql<{ crashEvents: { nodes: EventNode[] } }>(
      `query($p: ID!) { crashEvents(projectId: $p, first: 100) { nodes {
         symbolication tags frames { function file line context { before line after } } } } }`,
      { p: world.projectId },
    );
    const nodes = crashEvents.nodes.filter(
      ({ symbolication, tags }) => symbolication !== 'pending' && tags.runtime === runtime,
    );
    return nodes.length === truth.size && nodes;
  });
  return new Map(read.map((event) => [event.tags.failure, event]));
}

/** Metro's map leads from the call to the line above it, because it merged the two into one expression. */
const DRAWN_TOGETHER: Record<string, string> = { 'metro main.js:20': 'main.js:19' };

/** The program's own frames match its sources, each with five lines of context on either side. */
async function areTheSources(context: Context, { name: bundler }: FailingBundle, runtime: string): Promise<void> {
  const events = await eventsOf(context, runtime);
  for (const [failure, expected] of context.truth) {
    const what = `${runtime}, ${failure}`;
    const frames = (events.get(failure)?.frames ?? []).filter(({ context: lines }) => lines !== null);
    assert.equal(
      frames.map(({ file, line }) => `${basename(file ?? '')}:${line}`),
      expected.map(({ file, line }) => DRAWN_TOGETHER[`${bundler} ${file}:${line}`] ?? `${file}:${line}`),
      what,
    );
    for (const [at, frame] of frames.entries()) {
      const printed = expected[at]?.function ?? null;
      assert.ok(namesAgree(frame.function, printed), `${what}: ${frame.function} is ${printed}`);
      const lines = await sourceLines(expected[at]?.file ?? '');
      const index = (frame.line ?? 0) - 1;
      const around = {
        before: lines.slice(Math.max(0, index - 5), index),
        line: lines[index],
        after: lines.slice(index + 1, index + 6),
      };
      assert.equal(frame.context, around, what);
    }
  }
}

/**
 * V8 reports `Object.tooFull`, `get total` and `#refuse` where we report `tooFull`, `Basket.total` and
 * `Basket.#refuse`.
 */
function namesAgree(got: string | null, printed: string | null): boolean {
  if (printed === null) return got === null;
  const name = printed.replace(/^(?:async |get |Object\.)+/, '');
  return got === name || (got?.endsWith(`.${name.replace(/^Basket\./, '')}`) ?? false);
}

bundlers('the sources fail in every way, and every bundler is present', ({ truth, bundles }) => {
  assert.is(truth.size, 6);
  assert.ok([...truth.values()].every((frames) => frames.length >= 2));
  assert.equal(
    bundles.map(({ name }) => name),
    ['esbuild', 'metro', 'rollup', 'vite', 'webpack'],
  );
});

bundlers('in Node, the Node library gets function, file, line and context of every frame right', async (context) => {
  const { test, world, bundles } = context;
  const key = await buildKey(world.owner, world.projectId, 'live', ['definitions', 'ingest']);
  for (const bundle of bundles) {
    const runtime = `${bundle.name} in Node`;
    await failInNode(bundle, { url: test.baseUrl, key, runtime });
    await areTheSources(context, bundle, runtime);
  }
});

if (hasChromium()) {
  bundlers('in Chromium, so does the browser library, wherever a script was loaded from', async (context) => {
    const { test, world, folder, bundles } = context;
    const library = await packBrowserLibrary();
    const reporting = { url: test.baseUrl, key: world.keys.live };
    const pages = new Map(
      bundles.map(({ name, entry, isModule }) => {
        const script = `/app/${name}/${basename(entry)}?v=2`;
        return [`/${name}`, pageOf(script, isModule, { ...reporting, runtime: `${name} in Chromium` })];
      }),
    );
    const server = createServer(async ({ url = '/' }, response) => {
      const page = pages.get(url);
      response.setHeader('content-type', page === undefined ? 'text/javascript' : 'text/html; charset=utf-8');
      const { pathname } = new URL(url, 'http://page');
      const file = pathname.startsWith('/app/') ? join(folder, pathname.slice(5)) : join(library.folder, basename(url));
      response.end(page ?? (await readFile(file).catch(() => '')));
    });
    const origin = await openLocally(server);
    const browser = await launchChromium();
    try {
      for (const bundle of bundles) {
        const tab = await browser.newPage();
        await tab.goto(`${origin}/${bundle.name}`);
        await tab.waitForFunction('globalThis.finished');
        await areTheSources(context, bundle, `${bundle.name} in Chromium`);
        await tab.close();
      }
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await library.remove();
    }
  });
}

bundlers.run();
