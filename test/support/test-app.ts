import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../src/app.js';
import { type Env, readEnv } from '../../src/env.js';
import { createLogger } from '../../src/kernel/logger.js';
import { type BodyPatience, createHttpServer } from '../../src/server.js';
import { startWorker } from '../../src/worker.js';
import { inherited } from '../harness/server-process.js';
import { TestClock } from './clocks/clock.js';
import { openClusterApp } from './cluster-app.js';
import { createTestDatabase } from './database.js';
import { noteEmittedEvents } from './emitted-events.js';
import { noteAnswers } from './openapi/noted-answers.js';
import { openLocally } from './receivers/open-locally.js';

export interface TestAppOptions {
  /** Settings by variable name, such as `MAX_BODY_BYTES`. */
  settings?: Record<string, string>;
  /** Also run jobs, deliveries and the event dispatcher. */
  worker?: boolean;
  /** How long it waits for bodies, and for room for them; by default as long as a server does. */
  patience?: BodyPatience;
  /** Its answers do not count as tested. */
  unwatched?: boolean;
  /** Receives every warning and error in the log; none of a cluster, which consists of other processes. */
  onLog?: (line: LogLine) => void;
}

/** A line of the log. */
export interface LogLine {
  level: number;
  msg: string;
  requestId?: string;
  err?: { message: string; stack: string };
}

/**
 * The whole application in this process: its own database and data folder, a clock controlled by the test, HTTP on a
 * free port. With TEST_DEPLOYMENT=cluster it is several processes behind a proxy instead.
 */
export interface TestApp {
  app: App;
  clock: TestClock;
  baseUrl: string;
  databaseUrl: string;
  dataDir: string;
  jwtSecret: string;
  close(): Promise<void>;
}

const JWT_SECRET = 'a secret of the tests, long enough for HS256';

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-test-'));
  const drop = async (): Promise<void> => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  if (process.env.TEST_DEPLOYMENT === 'cluster') {
    const place = { databaseUrl: database.url, jwtSecret: JWT_SECRET };
    const cluster = await openClusterApp({ ...place, settings: options.settings ?? {}, folder: dataDir });
    return {
      ...cluster,
      ...place,
      close: async () => {
        await cluster.close();
        await drop();
      },
    };
  }
  const env: Env = readEnv({
    DATA_DIR: dataDir,
    PORT: '0',
    NODE_ENV: 'test',
    DATABASE_POOL: '8',
    FIRST_RUN: 'off',
    ...inherited(),
    ...options.settings,
  });
  const clock = new TestClock();
  const { onLog } = options;
  const logger = onLog
    ? createLogger('warn', { write: (line) => onLog(JSON.parse(line) as LogLine) })
    : createLogger(process.env.TEST_LOG ?? 'silent');
  const app = await App.open(
    { env, databaseUrl: database.url, jwtSecret: JWT_SECRET, clock, logger },
    Boolean(options.worker),
  );
  const worker = options.worker ? await startWorker(app) : null;
  const server = await createHttpServer(app, options.patience);
  const writeAnswers = options.unwatched ? () => undefined : noteAnswers(server);
  const baseUrl = await openLocally(server);
  return {
    app,
    clock,
    baseUrl,
    databaseUrl: database.url,
    dataDir,
    jwtSecret: JWT_SECRET,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await worker?.stop();
      await noteEmittedEvents(app.pool);
      writeAnswers();
      await app.close();
      await drop();
    },
  };
}
