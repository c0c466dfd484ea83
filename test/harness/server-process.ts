import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the first start leaves in DATA_DIR/first-run.json. */
export interface FirstRun {
  base_url: string;
  graphql_url: string;
  organization_id: string;
  project_id: string;
  owner: { email: string; password: string };
  tokens: { owner: string };
  api_keys: { live: string; test: string };
  deploy_token: string;
  sample: { config_item_id: string; flag_key: string; survey_id: string; survey_slug: string };
}

/** A server of the product in a separate process. */
export interface ServerProcess {
  url: string;
  pid: number;
  dataDir: string;
  /** Milliseconds from process start to the first 200 from /readyz. */
  readyMs: number;
  /** Everything it has printed so far. */
  output(): string;
  firstRun(): Promise<FirstRun>;
  /** Sends a signal and waits for the process to end. Returns the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  /** Stops it, and removes its data folder unless the caller provided one. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Settings by name, overriding the defaults: PORT (a free one), HOST 127.0.0.1, DATA_DIR (a temporary folder). */
  env?: Record<string, string>;
  dataDir?: string;
  /** The maximum milliseconds until it is ready. */
  readyWithinMs?: number;
  /** Arguments for Node itself, before the server's file. */
  nodeArguments?: string[];
  /** A program with its arguments that starts the server's process instead. */
  command?: string[];
  /** The file to run; {@link serverFile} by default. */
  entryFile?: string;
}

const dist = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The server as `npm start` runs it. */
export const serverFile = join(dist, 'server/main.js');

/** The same server as separate modules, for a program that is loaded before it and hooks into one of them. */
export const unbundledServerFile = join(dist, 'src/main.js');

/** Ports below Linux's range for outgoing connections, so that no connection takes a port while its server is down. */
const [LOWEST_PORT, PORTS] = [18_000, 14_000];

/** Running servers. They end with this process, however it ends, except by SIGKILL. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A TCP port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * PORTS);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Starts the compiled server and waits until /readyz answers 200. */
export async function startServerProcess(options: ServerOptions = {}): Promise<ServerProcess> {
  for (;;) {
    try {
      return await startOnce(options);
    } catch (error) {
      // Someone else took the port between the check and the start.
      if (options.env?.PORT !== undefined || !String(error).includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOnce(options: ServerOptions): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'quarterdeck-')));
  const port = options.env?.PORT ?? String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const command = [
    ...(options.command ?? []),
    process.execPath,
    ...(options.nodeArguments ?? []),
    options.entryFile ?? serverFile,
  ];
  const child = spawn(command[0] as string, command.slice(1), {
    env: { ...inherited(), HOST: '127.0.0.1', PORT: port, DATA_DIR: dataDir, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-1_000_000);
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal);
    });
  });
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  try {
    await untilReady(url, child, options.readyWithinMs ?? 300_000);
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output.slice(-4_000)}`);
  }
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    readyMs: performance.now() - startedAt,
    output: () => output,
    firstRun: async () => JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun,
    end,
    stop: async () => {
      await end();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * The part of this process's environment that the server needs: what makes it start, and start quickly, and the test
 * run's longer timeouts.
 */
export function inherited(): NodeJS.ProcessEnv {
  const names = ['PATH', 'NODE_COMPILE_CACHE', 'DATABASE_PATIENCE_MS', 'GRAPHQL_READING_MS'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function untilReady(url: string, child: ChildProcess, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server ended before it was ready');
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`the server was not ready within ${withinMs / 1000} s`);
}
