import { App } from '../../src/app.js';
import { readEnv } from '../../src/env.js';
import { createLogger } from '../../src/kernel/logger.js';
import { Cluster } from '../harness/cluster.js';
import { unbundledServerFile } from '../harness/server-process.js';
import { SteeredClock } from '../harness/steered-clock.js';
import type { TestClock } from './clocks/clock.js';

/** A hundred times as long as a message takes over Redis on a quiet machine. */
const SETTLE_MS = 50;

/** Counts are exact while the server waits for Redis, however busy the machine is. */
const REDIS_PATIENCE_MS = '60000';

export interface ClusterAppOptions {
  databaseUrl: string;
  settings: Record<string, string>;
  jwtSecret: string;
  /** Folder for what the test and the processes share. */
  folder: string;
}

/** What tests see of the cluster. */
export interface ClusterApp {
  app: App;
  clock: TestClock;
  /** Origin of the proxy. */
  baseUrl: string;
  dataDir: string;
  close(): Promise<void>;
}

/**
 * The application as several processes; `baseUrl` is the proxy in front of them. The application in this process serves
 * no requests: tests use it to set up and to look inside, and its clock controls all processes.
 */
export async function openClusterApp({
  databaseUrl,
  settings,
  jwtSecret,
  folder,
}: ClusterAppOptions): Promise<ClusterApp> {
  const clock = new SteeredClock(folder);
  const common = {
    REDIS_PATIENCE_MS,
    ...settings,
    FIRST_RUN: 'off',
    NODE_ENV: 'test',
    DATABASE_POOL: '8',
    JWT_SECRET: jwtSecret,
  };
  const cluster = await Cluster.start({
    databaseUrl,
    env: { ...common, ...clock.env },
    entryFile: unbundledServerFile,
    proxy: { settleMs: SETTLE_MS },
  });
  const env = readEnv({ ...cluster.env, DATA_DIR: cluster.dataDir, PORT: '0' });
  const logger = createLogger(process.env.TEST_LOG ?? 'silent');
  const app = await App.open({ env, databaseUrl, jwtSecret, clock, logger }, false);
  return {
    app,
    clock,
    baseUrl: cluster.url,
    dataDir: cluster.dataDir,
    async close() {
      await app.close();
      await cluster.close();
      clock.close();
    },
  };
}
