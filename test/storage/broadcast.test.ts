import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../src/storage/embedded/embedded-database.js';
import { embeddedUrl } from '../../src/storage/embedded/postgres-lease.js';
import type { BroadcastTransport } from '../../src/storage/shared/broadcast-transport.js';
import { PostgresBroadcast } from '../../src/storage/shared/postgres-broadcast.js';
import { ProcessBroadcast } from '../../src/storage/shared/process-broadcast.js';
import { RedisLink } from '../../src/storage/shared/redis.js';
import { RedisBroadcast } from '../../src/storage/shared/redis-broadcast.js';
import { SharedBroadcast } from '../../src/storage/shared/shared-broadcast.js';
import { machineHas } from '../runner/machine.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { until } from '../support/until.js';
import { RedisServer } from './redis-server.js';

/** Long enough that a pause of the machine is not taken for silence. */
const BEAT_MS = 10_000;
/** For tests of silence itself. */
const SHORT_BEAT_MS = 250;

/** Sits between the broadcasts and their server: cuts connections, or makes existing ones go silent. */
class Wire {
  refusing = false;
  /** Cuts connections when they ask to listen, and counts how often. */
  cutsListeners = false;
  listenersCut = 0;
  private readonly silent = new WeakSet<Socket>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly target: number) {
    this.server = createServer((near) => {
      if (this.refusing) return void near.destroy();
      const far = connect(this.target, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(from);
        from.on('error', () => {});
        from.on('data', (bytes) => {
          if (this.cutsListeners && /listen|subscribe/.test(String(bytes))) {
            this.listenersCut += 1;
            from.destroy();
          } else if (!this.silent.has(from)) to.write(bytes);
        });
        from.on('close', () => to.destroy());
      }
    });
  }

  async listen(): Promise<number> {
    return Number(new URL(await openLocally(this.server)).port);
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  silence(): void {
    for (const socket of this.sockets) this.silent.add(socket);
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}

const here = suite('broadcast in the process');

here('has reached everyone who still listens by the time publish returns', async () => {
  const broadcast = new ProcessBroadcast();
  const heard: (string | null)[] = [];
  const end = broadcast.subscribe('config', (message) => heard.push(message));
  broadcast.subscribe('__proto__', (message) => heard.push(`proto ${message}`));
  broadcast.publish('config', 'a');
  broadcast.publish('other', 'b');
  end();
  broadcast.publish('config', 'c');
  assert.equal(heard, ['a']);
});

here.run();

type Open = (port: number) => { transport: BroadcastTransport; close(): void };

function tryTransport(name: string, serve: () => Promise<{ port: number; open: Open; stop(): Promise<void> }>): void {
  const x = suite(`broadcast through ${name}`);
  let served: Awaited<ReturnType<typeof serve>>;
  let wire: Wire;
  let wirePort: number;
  const closers: (() => void)[] = [];
  let a: SharedBroadcast;
  let b: SharedBroadcast;
  const heard: (string | null)[] = [];
  const settled = () => until('both work', () => a.working && b.working && heard.length > 0);
  const isHeard = (message: string | null) => until(`${message}`, () => heard.includes(message));

  x.before(async () => {
    served = await serve();
    wire = new Wire(served.port);
    wirePort = await wire.listen();
    const broken = served.open(wirePort);
    const direct = served.open(served.port);
    closers.push(broken.close, direct.close);
    a = new SharedBroadcast(direct.transport, SHORT_BEAT_MS);
    b = new SharedBroadcast(broken.transport, SHORT_BEAT_MS);
    b.subscribe('config', (message) => heard.push(message));
    await until('a message', () => {
      a.publish('config', 'ready?');
      return heard.includes('ready?');
    });
  });
  x.before.each(() => {
    heard.length = 0;
  });
  x.after(async () => {
    await a.close();
    await b.close();
    for (const close of closers) close();
    wire.close();
    await served.stop();
  });

  x('reaches every process once and in order, and the publisher at once', async () => {
    const opened = [served.open(served.port), served.open(served.port)];
    const [from, to] = opened.map(({ transport }) => new SharedBroadcast(transport, BEAT_MS)) as [
      SharedBroadcast,
      SharedBroadcast,
    ];
    const own: (string | null)[] = [];
    const there: (string | null)[] = [];
    // A process that had lost a message would tell everyone, which shows up as null between the lines.
    const lines = (heard: (string | null)[]) => heard.filter((message) => message?.startsWith('line'));
    to.subscribe('config', (message) => there.push(message));
    await until('a message', () => {
      from.publish('config', 'ready?');
      return there.includes('ready?');
    });
    from.subscribe('config', (message) => own.push(message));
    for (let n = 0; n < 100; n += 1) from.publish('config', `line\n${n} ☃`);
    const sent = Array.from({ length: 100 }, (_, n) => `line\n${n} ☃`);
    assert.equal(lines(own), sent);
    await until('a hundred lines', () => lines(there).length === 100);
    assert.equal(lines(there), sent);
    assert.equal(lines(own), sent);
    for (const broadcast of [from, to]) await broadcast.close();
    for (const { close } of opened) close();
  });

  x('reports that everything may be stale while its connection is cut, and receives again afterwards', async () => {
    wire.refusing = true;
    wire.cut();
    a.publish('config', 'missed');
    await isHeard(null);
    await until('it says so', () => !b.working);
    wire.refusing = false;
    await until('it works', () => b.working);
    await until('a message', () => {
      a.publish('config', 'after the cut');
      return heard.includes('after the cut');
    });
    assert.not(heard.includes('missed'));
  });

  x('survives connections that are cut as they start to listen', async () => {
    wire.cutsListeners = true;
    wire.cut();
    await until('two are cut', () => wire.listenersCut >= 2);
    wire.cutsListeners = false;
    await until('a message', () => {
      a.publish('config', 'after the cuts');
      return heard.includes('after the cuts');
    });
    await settled();
  });

  x('reports that messages may have been missed even when it reconnects quickly', async () => {
    const opened = served.open(wirePort);
    const patient = new SharedBroadcast(opened.transport, BEAT_MS);
    const there: (string | null)[] = [];
    patient.subscribe('config', (message) => there.push(message));
    await until('a message', () => {
      a.publish('config', 'ready?');
      return there.includes('ready?');
    });
    there.length = 0;
    wire.cut();
    await until('null', () => there.includes(null));
    await patient.close();
    opened.close();
    await settled();
  });

  x(
    'notices that its connection has gone silent, opens a new one, and tells others that it may have missed messages',
    async () => {
      const others: (string | null)[] = [];
      const end = a.subscribe('keys', (message) => others.push(message));
      wire.silence();
      b.publish('keys', 'revoked');
      await isHeard(null);
      await until('others hear of it', () => b.working && (others.includes(null) || others.includes('revoked')));
      end();
      await settled();
    },
  );

  x('notices it also after the system clock was set back', async () => {
    const realNow = Date.now;
    Date.now = () => realNow() - 3_600_000;
    try {
      wire.silence();
      await isHeard(null);
    } finally {
      Date.now = realNow;
    }
    await settled();
  });

  x.run();
}

tryTransport('PostgreSQL', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'broadcast-'));
  const database: EmbeddedDatabase = await startEmbeddedDatabase({ dataDir, onProgress: () => {} });
  const open: Open = (port) => {
    const { password } = new URL(database.url);
    return { transport: new PostgresBroadcast(embeddedUrl(port, password)), close: () => {} };
  };
  const stop = async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { port: Number(new URL(database.url).port), open, stop };
});

if (machineHas('redis-server')) {
  tryTransport('Redis', async () => {
    const server = await RedisServer.start();
    const open: Open = (port) => {
      const link = new RedisLink({ url: `redis://127.0.0.1:${port}`, patienceMs: 50 });
      return { transport: new RedisBroadcast(`redis://127.0.0.1:${port}`, link), close: () => link.close() };
    };
    return { port: server.port, open, stop: () => server.close() };
  });

  const full = suite('broadcast through a Redis that is full');

  full('goes on although the process has stopped counting there', async () => {
    const server = await RedisServer.start();
    const links = [0, 1].map(() => new RedisLink({ url: server.url, patienceMs: 30_000 }));
    const [from, to] = links.map((link) => new SharedBroadcast(new RedisBroadcast(server.url, link), BEAT_MS)) as [
      SharedBroadcast,
      SharedBroadcast,
    ];
    try {
      const heard: (string | null)[] = [];
      to.subscribe('keys', (message) => heard.push(message));
      await until('a message', () => {
        from.publish('keys', 'ready?');
        return heard.includes('ready?');
      });
      await server.fill(true);
      const link = links[0] as RedisLink;
      await until('a refusal', async () => (await link.run((client) => client.set('a', 'b'))) === undefined);
      from.publish('keys', 'revoked');
      await until('the message', () => heard.includes('revoked'));
      assert.is(link.answering, false);
    } finally {
      for (const broadcast of [from, to]) await broadcast.close();
      for (const link of links) link.close();
      await server.close();
    }
  });

  full.run();
}
