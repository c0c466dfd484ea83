import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { SettingError } from '../../env.js';
import { withExclusiveLock } from './exclusive-lock.js';
import type { Machine } from './machine-settings.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { type Cluster, writeSettings } from './postgres-cluster.js';
import { embeddedUrl, otherLeases, takeLease } from './postgres-lease.js';
import { PostgresLeash } from './postgres-leash.js';
import {
  endLeftovers,
  freePort,
  isServerOf,
  logTail,
  runningServer,
  spawnServer,
  stopServer,
} from './postgres-process.js';
import { canListenIn, hostOf } from './postgres-socket.js';
import type { ProcessUser } from './unprivileged-user.js';

const CONNECT_EVERY_MS = 20;
const TELL_EVERY_MS = 5000;
const START_LIMIT_MS = 300_000;
const LEFTOVERS_LIMIT_MS = 20_000;
const RETRY_MS = 250;

interface KeeperOptions {
  dataDir: string;
  logPath: string;
  maxConnections: number;
  machine: Machine;
  settings: Readonly<Record<string, string>>;
  say: (line: string) => void;
  user?: ProcessUser;
}

/** Keeps a cluster's server running while this process needs it. */
export class PostgresKeeper {
  private lease: Client | undefined;
  private child: ChildProcess | undefined;
  private leash: PostgresLeash | undefined;
  private stopping = false;
  private recovery: Promise<void> | undefined;
  private readonly onExit = () => {
    if (!this.leash) this.child?.kill('SIGINT');
  };

  constructor(
    private readonly cluster: Cluster,
    private readonly binaries: PostgresBinaries,
    private readonly options: KeeperOptions,
  ) {}

  get tcpUrl(): string {
    return embeddedUrl(this.cluster.port, this.cluster.password);
  }

  /** The URL of the running server, constant across restarts. */
  async url(): Promise<string> {
    return embeddedUrl(this.cluster.port, this.cluster.password, await hostOf(this.cluster));
  }

  /**
   * Uses the running server or starts one, and returns when it accepts connections. Call it under the folder's lock.
   */
  async bringUp(): Promise<void> {
    const since = Date.now();
    for (;;) {
      const running = await runningServer(this.cluster.folder);
      if (running) {
        await this.movePort(running.port);
        this.tie(running.pid);
        if (await this.connect(() => isServerOf(this.cluster.folder, running.pid))) {
          this.options.say(`using the server that is already running (process ${running.pid}, port ${running.port})`);
          return;
        }
        continue;
      }
      if (await this.launch(since)) return;
      await sleep(RETRY_MS);
    }
  }

  /** Releases the lease; the last holder stops the server. */
  async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    await this.recovery;
    await withExclusiveLock(this.options.dataDir, async () => {
      const others = this.lease ? await otherLeases(this.lease).catch(() => 0) : 0;
      await this.lease?.end().catch(() => {});
      process.off('exit', this.onExit);
      if (others > 0) {
        this.leash?.letGo();
        this.child?.unref();
        return;
      }
      const running = await runningServer(this.cluster.folder);
      if (running) await stopServer(this.cluster.folder, running.pid);
      this.leash?.drop();
    });
  }

  private async launch(since: number): Promise<boolean> {
    await this.movePort(await freePort(this.cluster.port));
    const { folder, port } = this.cluster;
    const logged = await stat(this.options.logPath).then(
      ({ size }) => size,
      () => 0,
    );
    const hasSocket = await canListenIn(folder);
    const child = spawnServer(this.cluster, this.binaries, { ...this.options, hasSocket });
    if (child.pid) this.tie(child.pid);
    let failure: Error | undefined;
    child.once('error', (error) => {
      failure = error;
    });
    const alive = async () => !failure && child.exitCode === null && child.signalCode === null;
    try {
      if (await this.connect(alive)) {
        this.child = child;
        process.on('exit', this.onExit);
        child.once('exit', () => process.off('exit', this.onExit));
        this.options.say(`ready on 127.0.0.1:${port} after ${Date.now() - since} ms`);
        return true;
      }
    } catch (error) {
      child.kill('SIGINT');
      if (await alive()) await once(child, 'exit');
      this.leash?.drop();
      throw error;
    }
    this.leash?.drop();
    const words = await logTail(this.options.logPath, logged).catch(() => '');
    const leftovers = /pre-existing shared memory block|lock file .* already exists/.test(
      words.split('\n').slice(-4).join('\n'),
    );
    if (leftovers && Date.now() - since < LEFTOVERS_LIMIT_MS) {
      await endLeftovers(folder);
      return false;
    }
    const why = failure?.message ?? endOf(words);
    throw new SettingError(`PostgreSQL did not start in ${folder}: ${why}; see ${this.options.logPath} for more.`);
  }

  private async connect(alive: () => Promise<boolean>): Promise<boolean> {
    const start = Date.now();
    let toldAt = start;
    while (await alive()) {
      if (this.stopping) throw new Error('The server is no longer needed');
      const lease = await takeLease(this.tcpUrl);
      if (lease) {
        this.hold(lease);
        return true;
      }
      const now = Date.now();
      if (now - start > START_LIMIT_MS)
        throw new SettingError(`PostgreSQL does not accept connections after ${START_LIMIT_MS / 1000} s`);
      if (now - toldAt > TELL_EVERY_MS) {
        toldAt = now;
        this.options.say('still starting (after a crash it first replays its log)');
      }
      await sleep(CONNECT_EVERY_MS);
    }
    return false;
  }

  private tie(pid: number): void {
    this.leash?.drop();
    this.leash = PostgresLeash.attach(this.cluster.folder, pid);
  }

  private hold(lease: Client): void {
    this.lease = lease;
    lease.once('end', () => {
      if (this.lease !== lease) return;
      this.lease = undefined;
      if (this.stopping) return;
      this.leash?.drop();
      this.recovery ??= this.recover().finally(() => {
        this.recovery = undefined;
      });
    });
  }

  private async recover(): Promise<void> {
    this.options.say('the server has stopped, restarting it');
    let lastFailure = '';
    while (!this.stopping && !this.lease)
      await withExclusiveLock(this.options.dataDir, () => this.bringUp()).catch(async (error: Error) => {
        if (this.stopping) return;
        if (error.message !== lastFailure) this.options.say(error.message);
        lastFailure = error.message;
        await sleep(RETRY_MS);
      });
  }

  /** The port is fixed once this process has published the URL. */
  private async movePort(port: number): Promise<void> {
    if (port === this.cluster.port) return;
    if (this.lease !== undefined || this.recovery)
      throw new Error(`Port ${this.cluster.port} is taken; waiting for it`);
    this.cluster.port = port;
    await writeSettings(this.cluster, this.options.user);
  }
}

/** Why PostgreSQL ended, from its log since the start, as one line without times and process ids. */
function endOf(log: string): string {
  const reason = log.split('\n').findLast((line) => /(?:FATAL|PANIC):/.test(line)) ?? log;
  return reason.replace(/^.*?\] (?=[A-Z]+:)/, '').replace(/\s+/g, ' ');
}
