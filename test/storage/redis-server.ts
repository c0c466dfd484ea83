import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../harness/server-process.js';
import { machineHas } from '../runner/machine.js';

/** A Redis server for one test, on a port that stays the same across restarts. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<RedisServer> {
    if (!machineHas('redis-server')) throw new Error('redis-server is not installed');
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'redis-')));
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const words = [
      '--port',
      String(this.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.folder,
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    this.child = spawn('redis-server', words, { stdio: 'ignore' });
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => {});
    await client.ping();
    client.disconnect();
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    if (this.child && this.child.signalCode === null) await once(this.child, 'exit');
  }

  async flush(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }

  /** Makes it refuse writes, as a Redis without memory to spare does, or take them again. */
  async fill(isFull: boolean): Promise<void> {
    const client = new Redis(this.url);
    await client.config('SET', 'maxmemory', isFull ? '1' : '0');
    client.disconnect();
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
