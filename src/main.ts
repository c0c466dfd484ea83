import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { App } from './app.js';
import { doubtfulSettings, type Env, misspeltSettings, readEnv, SettingError } from './env.js';
import { firstRun } from './first-run/first-run.js';
import { createProbeServer } from './http/probe-server.js';
import { keptSecret } from './installation/secrets.js';
import { portError, requireDatabase, requirePort, warnOfUnusableObjects } from './installation/start-checks.js';
import { systemClock } from './kernel/clock.js';
import { createLogger, type Logger } from './kernel/logger.js';
import { inTime } from './kernel/turns/in-time.js';
import { createHttpServer } from './server.js';
import { dropStartupGarbage } from './startup-garbage.js';
import { connectionsFor, type EmbeddedDatabase, startEmbeddedDatabase } from './storage/embedded/embedded-database.js';
import { startWorker } from './worker.js';

/** Longest wait for open requests, and meanwhile for the worker, when the process is asked to stop. */
const DRAIN_MS = 6_000;
/**
 * Longest wait for the current startup step, such as a migration, when the process is asked to stop; an embedded database that is starting
 * is waited for in any case.
 */
const START_STEP_MS = 7_000;
/**
 * Longest time for everything but an embedded database: work that waits for a network that has gone silent never ends. Whoever started the
 * process often kills it ten seconds after asking it to stop.
 */
const STOP_MS = 9_500;

type Step = () => Promise<void>;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Each completed step registers how to undo it; this throws if the process has been asked to stop. */
async function start(done: (undo: Step) => void, stopping: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const env = readEnv();
  const logger = createLogger(env.logLevel);
  warnOfMisspeltSettings(logger);
  if (env.role !== 'worker') for (const doubt of doubtfulSettings(env)) logger.warn(doubt);
  if (env.role !== 'worker' && env.port !== 0) await requirePort('PORT', env.port, env.host);
  if (env.role === 'worker' && env.probePort) await requirePort('PROBE_PORT', env.probePort, env.host);
  const opening = openDatabase(env);
  // Also if the process stops before the database is ready: nothing of it may be left running.
  done(() =>
    opening.then(
      ({ stop }) => stop?.(),
      () => undefined,
    ),
  );
  const { url: databaseUrl, tcpUrl: copyUrl } = await opening;
  stopping.throwIfAborted();
  const jwtSecret = await keptSecret(env.dataDir, 'jwt-secret', env.jwtSecret);
  if (env.databaseUrl) await requireDatabase(env.databaseUrl);
  const options = { env, databaseUrl, copyUrl, jwtSecret, clock: systemClock, logger };
  const app = await App.open(options, env.role !== 'api', stopping);
  done(() => soon(app.close(), stopsUntil - performance.now()));
  void warnOfUnusableObjects(app.parts.objects, env, logger);
  let stopWorker: Step = async () => undefined;
  if (env.role !== 'api') {
    const worker = await startWorker(app);
    let stopped: Promise<void> | undefined;
    stopWorker = () => {
      stopped ??= soon(worker.stop(), DRAIN_MS);
      return stopped;
    };
    done(stopWorker);
  }
  if (env.role !== 'worker') {
    const server = await createHttpServer(app);
    // A fixed port is known beforehand, so anyone who finds the server ready also finds first-run.json.
    if (env.firstRun && env.port !== 0) await firstRun(app, env.publicUrl, say);
    await dropStartupGarbage();
    const port = await listen(server, 'PORT', env.port, env.host);
    done(() => {
      // Its own step says when it fails.
      stopWorker().catch(() => undefined);
      return drain(server, () => app.parts.streams.endAll());
    });
    const baseUrl = env.port === 0 ? `http://${env.host}:${port}` : env.publicUrl;
    if (env.firstRun && env.port === 0) await firstRun(app, baseUrl, say);
    say(
      `Quarterdeck is ready at ${baseUrl} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s; playground at ${baseUrl}/playground, demo at ${baseUrl}/demo`,
    );
  } else {
    if (env.probePort !== null) {
      const server = createProbeServer(app);
      await listen(server, 'PROBE_PORT', env.probePort, env.host);
      done(() => drain(server));
    }
    await dropStartupGarbage();
    say('The Quarterdeck worker is ready.');
  }
}

async function soon(step: Promise<void>, ms: number): Promise<void> {
  const isDone = step.then(() => true);
  if (!(await inTime(isDone, ms, false))) throw new Error('work in progress did not end in time and was left');
}

function warnOfMisspeltSettings(logger: Logger): void {
  const misspelt = misspeltSettings().map(
    ([given, meant]) => `${given} is not a setting of the server; did you mean ${meant}?`,
  );
  if (misspelt.length > 0) logger.warn(`${misspelt.join(' ')} Correct the names in the environment.`);
}

async function openDatabase(env: Env): Promise<Pick<EmbeddedDatabase, 'url'> & Partial<EmbeddedDatabase>> {
  if (env.databaseUrl) return { url: env.databaseUrl };
  const options = { dataDir: env.dataDir, onProgress: say, maxConnections: connectionsFor(env) };
  return startEmbeddedDatabase(options);
}

function listen(server: Server, name: 'PORT' | 'PROBE_PORT', port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portError(name, port, host, error)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Accepts no new connections, ends streams and waits for open requests; a client that keeps sending requests is asked to close its
 * connection, and one that sends no other within a second is disconnected.
 */
function drain(server: Server, endStreams: () => Promise<void> = async () => undefined): Promise<void> {
  return new Promise((resolve) => {
    server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    // Node adds a second. Connections that are answering now are not idle yet, and would be kept for the whole wait.
    server.keepAliveTimeout = 1;
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
    void endStreams();
  });
}

/** Until when the stop may take, in `performance.now()` time. */
let stopsUntil = 0;

/** Undoes the startup in reverse order; returns the exit code. */
async function stopAll(stops: readonly Step[]): Promise<number> {
  stopsUntil = performance.now() + STOP_MS;
  let code = 0;
  for (const step of stops) {
    try {
      await step();
    } catch (error) {
      code = 1;
      createLogger('error').error({ err: error }, 'a shutdown step failed');
    }
  }
  return code;
}

/** SIGTERM and SIGINT stop the process cleanly, even during startup; a second signal ends it at once. */
function stopOnSignals(stop: () => Promise<number>): void {
  let stopping = false;
  const onSignal = async (): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    process.exit(await stop());
  };
  process.on('SIGTERM', () => void onSignal());
  process.on('SIGINT', () => void onSignal());
}

const stops: Step[] = [];
const stopping = new AbortController();
const starting = start((undo) => {
  stops.unshift(undo);
  stopping.signal.throwIfAborted();
}, stopping.signal);
stopOnSignals(async () => {
  stopping.abort();
  await Promise.race([starting.catch(() => undefined), sleep(START_STEP_MS)]);
  return stopAll(stops);
});
starting.catch(async (error: unknown) => {
  if (stopping.signal.aborted) return;
  if (error instanceof SettingError) say(error.message);
  else createLogger('error').fatal({ err: error }, 'the server could not start');
  await stopAll(stops);
  process.exit(1);
});
