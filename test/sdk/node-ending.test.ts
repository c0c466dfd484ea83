import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NodeOptions } from '../../src/sdk/node/options.js';
import { createQuarterdeck, type Quarterdeck } from '../../src/sdk/node/quarterdeck.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { until } from '../support/until.js';

/** In place of a status: the server takes the connection and does not answer. */
const NEVER = 0;
const LEFT_BEHIND = 'some data could not be sent';

/** A server that answers batches and crash reports with the given statuses in turn, the last forever, and stores those it accepts. */
class BatchServer {
  answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  asked = 0;
  readonly taken: string[] = [];
  readonly streams: ServerResponse[] = [];
  url = '';
  private readonly server = createServer(async (request, response) => {
    if (request.url?.startsWith('/api/v1/switch/definitions/stream')) {
      response.writeHead(200).write('event: ready\ndata: {}\n\n');
      this.streams.push(response);
      return;
    }
    if (!/^\/api\/(v1\/batch|catch\/events)/.test(request.url ?? '')) {
      response.writeHead(200, { etag: '"1"' }).end('{"flags":[],"config":[]}');
      return;
    }
    if (this.answers[0]?.status === NEVER) return;
    const { operations = [], events = [] } = JSON.parse((await request.toArray()).join('')) as {
      operations?: { payload: { event_name: string } }[];
      events?: { exception: { value: string } }[];
    };
    this.asked += 1;
    const { status, headers } = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? { status: 200 };
    if (status === 200)
      this.taken.push(
        ...operations.map(({ payload }) => payload.event_name),
        ...events.map(({ exception }) => exception.value),
      );
    response.writeHead(status, headers).end('{}');
  });

  async open(): Promise<void> {
    this.url = await openLocally(this.server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** What makes the library pause, for longer than any test takes. */
const PAUSES = [
  { status: 401 },
  { status: 403 },
  { status: 500 },
  { status: 503, headers: { 'retry-after': '3600' } },
  { status: 429, headers: { 'retry-after': '3600' } },
];

const x = suite<{ server: BatchServer }>('the end of @quarterdeck/node');

x.before.each(async (context) => {
  context.server = new BatchServer();
  await context.server.open();
});
x.after.each(({ server }) => server.close());

/** A library that does not touch the test process. */
function open({ url }: BatchServer, options: Partial<NodeOptions> = {}): { library: Quarterdeck; warnings: string[] } {
  const warnings: string[] = [];
  const alone = { captureErrors: false, flushOnExit: false, warn: (message: string) => void warnings.push(message) };
  return { library: createQuarterdeck({ url, key: 'sk_live_1', fetch: false, ...alone, ...options }), warnings };
}

/** Runs a program in a separate process with a library that asks for no definitions. */
function run({ url }: BatchServer, program: string) {
  const library = JSON.stringify(`${process.cwd()}/dist/src/sdk/node/quarterdeck.js`);
  const start = `import { createQuarterdeck } from ${library};
    const given = { url: ${JSON.stringify(url)}, key: 'sk_live_1', fetch: false };
    const library = createQuarterdeck(given);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + program]);
  let warned = '';
  child.stderr.on('data', (chunk) => {
    warned += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, warned }));
  return { child, ended };
}

x('sends what waits for the end of a pause when it is closed', async ({ server }) => {
  for (const pause of PAUSES) {
    server.answers = [pause, { status: 200 }];
    const { library, warnings } = open(server);
    library.track('u', `before ${pause.status}`);
    assert.is(await library.flush(), 1);
    library.track('u', `in the pause of ${pause.status}`);
    void library.flush();
    await library.close();
    assert.equal(server.taken.splice(0), [`before ${pause.status}`, `in the pause of ${pause.status}`]);
    assert.is(warnings.filter((message) => message.includes(LEFT_BEHIND)).length, 0);
  }
});

x('ignores options that are not numbers, and does not throw if a warning cannot be written', async ({ server }) => {
  server.answers = [{ status: 200 }];
  const none = Number(undefined);
  const warn = (): never => {
    throw new Error('the log is closed');
  };
  const { library } = open(server, { queueSize: none, pollSeconds: none, exitMs: none, warn });
  library.onChange(null as never);
  library.captureError(new Error('caught'), null as never);
  library.track('u', 'one');
  library.track('u', 'two');
  await library.close(none);
  assert.equal(server.taken.toSorted(), ['caught', 'one', 'two']);
  const unset = createQuarterdeck(undefined as never);
  assert.is(unset.flag('on', false), false);
  await unset.close(0);
});

x('listens to the process once, however many libraries there are and requests they send', async ({ server }) => {
  server.answers = [{ status: 200 }];
  const { ended } = run(
    server,
    `const more = Array.from({ length: 11 }, () => createQuarterdeck(given));
    for (let n = 0; n < 12; n += 1) {
      library.track('u', 'event');
      await library.flush();
    }
    for (const one of more) one.track('u', 'event');
    await Promise.all(more.map((one) => one.close()));`,
  );
  assert.equal([(await ended).warned, server.taken.length], ['', 23]);
});

x('reports an error whatever its details are', async ({ server }) => {
  server.answers = [{ status: 200 }];
  const { library, warnings } = open(server);
  const unreadable = Object.defineProperty({}, 'request', {
    enumerable: true,
    get: () => {
      throw new Error('gone');
    },
  });
  library.captureError(new Error('caught'), { tags: unreadable, extra: unreadable });
  await library.close();
  assert.equal([server.taken, warnings], [['caught'], []]);
});

x('asks once more at the end, and reports what is left', async ({ server }) => {
  server.answers = [{ status: 503 }];
  const { library, warnings } = open(server);
  library.track('u', 'left');
  await library.flush();
  await library.close();
  assert.equal([server.asked, warnings.filter((message) => message.includes(LEFT_BEHIND)).length], [2, 1]);
});

x('keeps no process alive with requests, except for an application that waits for them', async ({ server }) => {
  server.answers = [{ status: NEVER }];
  for (const [waits, kept] of [
    ['', []],
    ['void library.flush();', ['Timeout']],
  ] as const) {
    const { child, ended } = run(
      server,
      `const { subscribe } = await import('node:diagnostics_channel');
      const say = () => process.stdout.write(process.getActiveResourcesInfo().filter((name) => !name.startsWith('Pipe')).join() + ';');
      const connected = ({ socket }) => (socket.connecting ? socket.once('connect', () => setImmediate(say)) : say());
      subscribe('http.client.request.start', ({ request }) => setImmediate(connected, request));
      for (let n = 0; n < 100; n += 1) library.track('u', 'many');
      ${waits}`,
    );
    const [said] = await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await ended;
    assert.is(String(said), `${kept.join()};`, waits);
  }
});

x('says once that what comes after closing is dropped', async ({ server }) => {
  server.answers = [{ status: 200 }];
  const { library, warnings } = open(server);
  library.track('u', 'before');
  await library.close();
  library.track('u', 'after');
  library.setProperties('u', { plan: 'pro' });
  library.alias('u', 'v');
  library.captureError(new Error('after'));
  assert.is(await library.flush(), 0);
  assert.equal(server.taken, ['before']);
  assert.is(warnings.filter((message) => message.includes('the library is closed')).length, 1);
});

x('leaves the end to an application that listens for the signal', async ({ server }) => {
  server.answers = [{ status: 200 }];
  const track = (name: string): string => `library.track('u', '${name}');`;
  const later = (handler: string): string => `setTimeout(async () => { ${handler} }, 200);`;
  for (const handler of [
    `${track('in the handler')} process.exit(0);`,
    later(`${track('in the handler')} process.exit(0);`),
    later(`${track('in the handler')} await library.close(5000); process.exit(0);`),
  ]) {
    const { child, ended } = run(
      server,
      `process.on('SIGTERM', () => { ${handler} });
      ${track('before')}
      setInterval(() => {}, 1000); process.stdout.write('ready');`,
    );
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const { code, warned } = await ended;
    assert.equal([server.taken.splice(0), code, warned], [['before', 'in the handler'], 0, ''], handler);
  }
});

x('also sends at the end of its process, and reports what is left', async ({ server }) => {
  const program = "library.track('u', 'waits'); await library.flush();";
  const waits = "setInterval(() => {}, 1000); process.stdout.write('ready');";
  for (const [taken, end] of [
    [['waits'], ''],
    [[], LEFT_BEHIND],
  ] as const)
    for (const signal of [null, 'SIGTERM', 'SIGINT'] as const) {
      server.answers = [{ status: 500 }, { status: taken.length > 0 ? 200 : 500 }];
      const { child, ended } = run(server, program + (signal ? waits : ''));
      if (signal) child.stdout.once('data', () => child.kill(signal));
      const { warned } = await ended;
      assert.equal([server.taken.splice(0), child.signalCode], [taken, signal]);
      assert.is(warned.includes(LEFT_BEHIND), end !== '', warned);
    }
});

x('reports every exception that a process survives, however the first report fares', async ({ server }) => {
  const survives = `process.on('uncaughtException', () => {});
    const broken = (name) => new Promise((go) => setTimeout(() => { setTimeout(go, 50); throw new Error(name); }));
    for (const name of ['first', 'second', 'third']) { await broken(name); await library.flush(); }`;
  server.answers = [{ status: 503 }, { status: 200 }];
  assert.is((await run(server, `${survives} process.kill(process.pid, 'SIGKILL');`).ended).code, null);
  assert.equal(server.taken.splice(0), ['first', 'second', 'third']);
  server.answers = [{ status: 503 }, { status: 503, headers: { 'retry-after': '3600' } }, { status: 200 }];
  assert.is((await run(server, `${survives} library.track('u', 'last'); process.exit(0);`).ended).code, 0);
  assert.equal(server.taken, ['first', 'second', 'third', 'last']);
});

x("ends its own pause when the server's answer changes", async ({ server }) => {
  server.answers = [{ status: 503 }];
  const { library } = open(server, { fetch: true });
  await library.ready;
  await until('the stream', () => server.streams.length > 0);
  library.track('u', 'waits');
  await library.flush();
  // On its own it would reach the eighth try after some minutes.
  while (server.asked < 8) {
    const { asked } = server;
    server.streams[0]?.write('event: ready\ndata: {}\n\n');
    await until('another try', () => server.asked > asked);
  }
  server.answers = [{ status: 200 }];
  server.streams[0]?.write('event: ready\ndata: {}\n\n');
  await until('the event', () => server.taken.length === 1);
  await library.close();
});

x.run();
