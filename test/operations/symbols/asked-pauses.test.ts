import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { symbolsCommand } from '../../support/symbols/symbols-command.js';
import { openTestApp, type TestApp } from '../../support/test-app.js';

/** A proxy that answers the first requests to each path itself. */
class BusyProxy {
  /** When each request arrived, by method and path. */
  readonly came = new Map<string, number[]>();
  url = '';
  private readonly server: Server;

  private constructor(target: string, refusals: readonly (readonly [status: number, retryAfter: string])[]) {
    this.server = createServer((incoming, answer) => {
      const { method = '', url = '', headers } = incoming;
      const request = `${method} ${url}`;
      const times = this.came.get(request) ?? [];
      this.came.set(request, times);
      const refusal = refusals[times.length];
      times.push(performance.now());
      if (refusal !== undefined) {
        incoming.resume();
        answer.writeHead(refusal[0], { 'retry-after': refusal[1] }).end('<h1>Busy</h1>');
        return;
      }
      const onward = httpRequest(`${target}${url}`, { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(answer);
      });
      incoming.pipe(onward);
    });
  }

  static async open(
    target: string,
    ...refusals: (readonly [status: number, retryAfter: string])[]
  ): Promise<BusyProxy> {
    const proxy = new BusyProxy(target, refusals);
    proxy.url = await openLocally(proxy.server);
    return proxy;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const busy = suite<{ test: TestApp; world: World; folder: string }>('the command with a busy server');

busy.before(async (context) => {
  context.test = await openTestApp({ worker: true });
  context.world = await buildWorld(context.test);
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-busy-'));
  await writeFile(join(context.folder, 'app.js.map'), SMALL_MAP);
});
busy.after(async ({ test, folder }) => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const settingsOf = (url: string, { owner }: World) => ({ QUARTERDECK_URL: url, QUARTERDECK_TOKEN: owner.token });

busy('waits as long as the server asks, and says so', async ({ test, world, folder }) => {
  const inTwoSeconds = new Date(Date.now() + 2_000).toUTCString();
  const proxy = await BusyProxy.open(test.baseUrl, [503, '3'], [429, inTwoSeconds]);
  try {
    const ended = await symbolsCommand({ env: settingsOf(proxy.url, world) }, 'upload', folder);
    assert.is(ended.code, 0, ended.out);
    assert.match(ended.results, /^usable /m);
    assert.match(ended.messages, /\(503 no_quarterdeck\); retry after 3 s; retrying in 3 s$/m);
    assert.match(ended.messages, /is busy; try again later \(429 busy\).*; retrying in 2 s$/m);
    for (const [path, [first = 0, second = 0]] of proxy.came) assert.ok(second - first >= 2_990, path);
  } finally {
    proxy.close();
  }
});

busy('gives up at once when the wait would be too long', async ({ test, world }) => {
  const proxy = await BusyProxy.open(test.baseUrl, [429, '3600']);
  try {
    const ended = await symbolsCommand({ env: settingsOf(proxy.url, world) }, 'list');
    assert.is(ended.code, 2, ended.out);
    assert.match(ended.messages, /\(429 busy\); retry after 3600 s; giving up, since the wait would exceed 300 s$/m);
    assert.equal(
      [...proxy.came.values()].map(({ length }) => length),
      [1],
    );
  } finally {
    proxy.close();
  }
});

busy.run();
