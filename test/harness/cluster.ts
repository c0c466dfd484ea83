import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisServer } from '../storage/redis-server.js';
import { type ProxyOptions, RoundRobinProxy } from './round-robin-proxy.js';
import { freePort, type ServerProcess, startServerProcess } from './server-process.js';

/** The processes of an installation: two servers and a worker. */
export type Member = 'api-1' | 'api-2' | 'worker';
export const MEMBERS: readonly Member[] = ['api-1', 'api-2', 'worker'];

export interface ClusterOptions {
  databaseUrl: string;
  /** Settings by name for all processes, overriding those of the cluster. */
  env?: Record<string, string>;
  proxy?: ProxyOptions;
  /** `false`: the processes share only the database and the objects. */
  redis?: boolean;
  /** As for {@link startServerProcess}. */
  entryFile?: string;
}

/**
 * Two processes with ROLE=api behind a proxy and one with ROLE=worker, sharing one database, one folder of objects and,
 * unless disabled, one Redis.
 */
export class Cluster {
  private readonly processes = new Map<Member, ServerProcess>();

  private constructor(
    private readonly redis: RedisServer | null,
    readonly dataDir: string,
    private readonly proxy: RoundRobinProxy,
    private readonly ports: Readonly<Record<Member, string>>,
    private readonly options: ClusterOptions,
  ) {}

  /** The first process creates the demo project, so that the others find a migrated database that contains it. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const ports = { 'api-1': await port(), 'api-2': await port(), worker: await port() };
    const origins = [ports['api-1'], ports['api-2']].map((number) => `http://127.0.0.1:${number}`);
    const proxy = await RoundRobinProxy.open(origins, options.proxy);
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-cluster-'));
    const redis = options.redis === false ? null : await RedisServer.start();
    const cluster = new Cluster(redis, dataDir, proxy, ports, options);
    try {
      await cluster.startMember('api-1');
      await Promise.all([cluster.startMember('api-2'), cluster.startMember('worker')]);
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Origin of the proxy. */
  get url(): string {
    return this.proxy.url;
  }

  /** The settings that another process needs to join the installation. */
  get env(): Record<string, string> {
    return {
      DATABASE_URL: this.options.databaseUrl,
      ...(this.redis ? { REDIS_URL: this.redis.url } : {}),
      PUBLIC_URL: this.url,
      LOG_LEVEL: 'error',
      ...this.options.env,
    };
  }

  member(member: Member): ServerProcess {
    const found = this.processes.get(member);
    if (!found) throw new Error(`${member} was not started`);
    return found;
  }

  /** Starts a member, or restarts it on its previous port, and waits until it is ready. */
  async startMember(member: Member): Promise<void> {
    const port = this.ports[member];
    const role: Record<string, string> = member === 'worker' ? { ROLE: 'worker', PROBE_PORT: port } : { ROLE: 'api' };
    const env = { ...this.env, ...role, PORT: port };
    const { entryFile } = this.options;
    this.processes.set(
      member,
      await startServerProcess({ ...(entryFile && { entryFile }), env, dataDir: this.dataDir }),
    );
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await Promise.all([...this.processes.values()].map((server) => server.end()));
    await this.redis?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

async function port(): Promise<string> {
  return String(await freePort());
}
