import { copyFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Env, SettingError } from '../../env.js';
import { openDataFolder } from './data-folder.js';
import { withExclusiveLock } from './exclusive-lock.js';
import { type Machine, thisMachine } from './machine-settings.js';
import {
  findPostgresBinaries,
  locatePostgresPackage,
  type PostgresBinaries,
  removeOtherCopies,
} from './postgres-binaries.js';
import { type Cluster, createCluster, readCluster } from './postgres-cluster.js';
import { PostgresKeeper } from './postgres-keeper.js';
import { runningServer } from './postgres-process.js';
import { ownerOfCluster, type ProcessUser } from './unprivileged-user.js';

/** Processes on one DATA_DIR, connections each opens outside its pools, and those for administration and backups. */
const [PROCESSES, OUTSIDE_POOLS, RESERVED] = [3, 16, 10];

const LARGEST_LOG_BYTES = 8 * 1024 * 1024;
const LOG_CHECK_MS = 5_000;

export interface EmbeddedDatabase {
  /**
   * `postgres://` URL with the password, of its socket if it has one, else of the loopback interface; constant until
   * `stop`.
   */
  url: string;
  /**
   * The same on the loopback interface: TCP buffers more than a Unix socket, so that a COPY need not wait for its
   * sender.
   */
  tcpUrl: string;
  /** Stops the server (fast shutdown) unless another process is still using it. */
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** Contains the cluster in `postgres` and its log in `postgres.log`. Created when missing. */
  dataDir: string;
  /** Receives one line per notable step. */
  onProgress: (line: string) => void;
  /** Default: 100. */
  maxConnections?: number;
  /** Memory for PostgreSQL to plan with. Default: what this process can use. */
  machine?: Machine;
  /** PostgreSQL settings by name, which override the durability and machine settings. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the bundled PostgreSQL in `dataDir`, creating the cluster the first time, or uses a server already running
 * there. As root it runs under an unprivileged account. It is restarted on the same URL when it dies and, where the
 * system supports flock, shuts down when the last process using it dies. Throws SettingError with PostgreSQL's own
 * message when it cannot start; nothing is left running then.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, 'postgres');
  await openDataFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  const user = await ownerOfCluster(folder);
  const copyFolder = join(dataDir, 'postgres-programs');
  const say = (line: string) => options.onProgress(`Embedded PostgreSQL: ${line}`);
  const bringUp = async () => {
    const binaries = await findPostgresBinaries(await locatePostgresPackage(), copyFolder, user);
    if (!(await runningServer(folder))) await removeOtherCopies(copyFolder, binaries);
    const cluster = (await readCluster(folder, binaries.version)) ?? (await firstCluster(folder, binaries, say, user));
    const logPath = join(dataDir, 'postgres.log');
    await limitLog(logPath);
    const keeper = new PostgresKeeper(cluster, binaries, {
      dataDir,
      logPath,
      maxConnections: options.maxConnections ?? 100,
      machine: options.machine ?? thisMachine(),
      settings: options.settings ?? {},
      say,
      user,
    });
    await keeper.bringUp();
    const limiting = setInterval(() => void limitLog(logPath).catch(() => undefined), LOG_CHECK_MS).unref();
    const stop = () => {
      clearInterval(limiting);
      return keeper.stop();
    };
    return { url: await keeper.url(), tcpUrl: keeper.tcpUrl, stop };
  };
  return withExclusiveLock(dataDir, bringUp).catch((error: unknown) => {
    throw inWords(error);
  });
}

/**
 * Turns a file system error in the data folder, such as a file of another user, into a message the operator can act on.
 */
function inWords(error: unknown): unknown {
  const { path, message } = error as NodeJS.ErrnoException;
  if (path === undefined) return error;
  return new SettingError(
    `DATA_DIR cannot be used (${message}); its files must belong to the user who starts the server, and its disk must have free space.`,
  );
}

/** Connections that three processes on one DATA_DIR can open, including the server's own. */
export function connectionsFor({ databasePool }: Pick<Env, 'databasePool'>): number {
  return Math.max(100, PROCESSES * (2 * databasePool + OUTSIDE_POOLS) + RESERVED);
}

export function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return stat(join(dataDir, 'postgres')).then(
    () => true,
    () => false,
  );
}

async function firstCluster(
  folder: string,
  binaries: PostgresBinaries,
  say: (line: string) => void,
  user?: ProcessUser,
): Promise<Cluster> {
  await removeDrafts(folder);
  say(`creating the cluster in ${folder} (first start only)`);
  return createCluster(folder, binaries, user);
}

/** Leftovers of a first start that was killed. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (path.startsWith(`${folder}.new-`)) await rm(path, { recursive: true, force: true });
  }
}

/**
 * A running server keeps its log open and appends to it, so the file is truncated, not moved; on a full disk its
 * content is lost.
 */
async function limitLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.size <= LARGEST_LOG_BYTES) return;
  await copyFile(path, `${path}.old`).catch(() => undefined);
  await truncate(path);
}
