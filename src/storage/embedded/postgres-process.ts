import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Machine, machineSettings } from './machine-settings.js';
import { CHILD_ENVIRONMENT, type PostgresBinaries } from './postgres-binaries.js';
import { type Cluster, folderName } from './postgres-cluster.js';
import { removeSockets } from './postgres-socket.js';
import type { ProcessUser } from './unprivileged-user.js';

const POLL_MS = 20;
const FAST_SHUTDOWN_MS = 30_000;
const LOG_TAIL_BYTES = 4096;

/** The running server of a cluster: its process and port. */
export interface PostgresServer {
  pid: number;
  port: number;
}

/**
 * The server currently running in `folder`, whoever started it. A pid file whose process has ended or is another
 * program (process ids are reused after a reboot) is removed together with its sockets. Call it under the folder's
 * lock.
 */
export async function runningServer(folder: string): Promise<PostgresServer | undefined> {
  const path = join(folder, 'postmaster.pid');
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (pid > 0 && (await isServerOf(folder, pid))) return { pid, port: Number.parseInt(lines[3] ?? '', 10) || 0 };
  await rm(path, { force: true });
  await removeSockets(folder);
  return undefined;
}

/** Starts `postgres` in a cluster with durable settings, logging to `logPath`. */
export function spawnServer(
  cluster: Cluster,
  binaries: PostgresBinaries,
  options: {
    user?: ProcessUser;
    logPath: string;
    maxConnections: number;
    machine: Machine;
    settings: Readonly<Record<string, string>>;
    /** Whether it also listens on a socket in its folder. */
    hasSocket: boolean;
  },
): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: cluster.port,
    // The working directory, because its full path may be too long for a socket.
    unix_socket_directories: options.hasSocket ? '.' : '',
    max_connections: options.maxConnections,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // Zero-filling a new 16 MiB log segment delays every commit by 50 to 100 ms; commits sync their writes either way.
    wal_init_zero: 'off',
    // After a crash of one of its processes PostgreSQL exits and its keeper restarts it. Its own restart can hang
    // forever: if recovery fails at once (a full disk), PostgreSQL 18 may keep waiting for a recovery that no longer
    // runs.
    restart_after_crash: 'off',
    jit: 'off',
    ...machineSettings(options.machine),
    log_min_messages: 'warning',
    // User data must not be logged: no statements, and no details, which contain row values.
    log_statement: 'none',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
    ...options.settings,
  };
  const words = ['-D', folderName(cluster.folder, options.user)];
  for (const [name, value] of Object.entries(settings)) words.push('-c', `${name}=${value}`);
  const log = openSync(options.logPath, 'a', 0o600);
  try {
    // In its own session: Ctrl-C in a terminal must first drain the server, not stop the database.
    return spawn(join(binaries.bin, 'postgres'), words, {
      cwd: cluster.folder,
      env: CHILD_ENVIRONMENT,
      stdio: ['ignore', log, log],
      detached: true,
      ...options.user,
    });
  } finally {
    closeSync(log);
  }
}

/** Fast shutdown (cancels statements, writes a checkpoint), after 30 s immediate shutdown. */
export async function stopServer(folder: string, pid: number): Promise<void> {
  signal(pid, 'SIGINT');
  const patience = Date.now() + FAST_SHUTDOWN_MS;
  let harsh = false;
  while (await isServerOf(folder, pid)) {
    if (!harsh && Date.now() > patience) {
      harsh = true;
      signal(pid, 'SIGQUIT');
    }
    await sleep(POLL_MS);
  }
}

/**
 * Ends the children of a killed server, which notice only when they next wait for something and keep PostgreSQL from
 * starting. Crash recovery treats them like the server itself.
 */
export async function endLeftovers(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (pid > 0 && (await isServerOf(folder, pid))) signal(pid, 'SIGKILL');
  }
}

/** Whether process `pid` is a PostgreSQL server working in `folder`. A zombie is not. */
export async function isServerOf(folder: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isServer(pid);
  try {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8');
    if (/\) [ZX] /.test(state)) return false;
    const [own, found] = await Promise.all([stat(folder), stat(`/proc/${pid}/cwd`)]);
    if (own.dev !== found.dev || own.ino !== found.ino) return false;
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith('postgres');
  } catch {
    return false;
  }
}

/** Whether process `pid` is a PostgreSQL server, for systems that do not expose a process's folder. A zombie is not. */
export async function isServer(pid: number): Promise<boolean> {
  const found = promisify(execFile)('ps', ['-o', 'stat=', '-o', 'comm=', '-p', String(pid)]);
  const [, state = 'Z', program = ''] =
    /^\s*(\S+)\s+(.+)/.exec((await found.catch(() => ({ stdout: '' }))).stdout) ?? [];
  return !state.startsWith('Z') && basename(program.trim()).startsWith('postgres');
}

/** A free TCP port on 127.0.0.1, `wanted` if possible. */
export async function freePort(wanted: number): Promise<number> {
  for (const port of wanted > 0 ? [wanted, 0] : [0]) {
    const found = await new Promise<number | undefined>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(undefined));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
      });
    });
    if (found) return found;
  }
  throw new Error('No free TCP port on 127.0.0.1');
}

/** The server's log from a byte position on, for messages about a failed start. */
export async function logTail(path: string, from: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - LOG_TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOG_TAIL_BYTES), 0, LOG_TAIL_BYTES, start);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already, or belongs to someone else.
  }
}
