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

/** Processes on one DATA_DIR, connections that one opens outside its pools, and those for administration and backups. */
const [PROCESSES, OUTSIDE_POOLS, RESERVED] = [3, 16, 10];

const LARGEST_LOG_BYTES = 8 * 1024 * 1024;
const LOG_CHECK_MS = 5_000;

export interface EmbeddedDatabase {
  /** `postgres://` URL of its socket, or where it has none of the loopback interface, with the password; the same until `stop`. */
  url: string;
  /** The same on the loopback interface: TCP keeps more than a socket does of what is on its way, so that a copy need not wait for its sender. */
  tcpUrl: string;
  /** Stops the server (fast shutdown) unless another process still uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** The cluster is in `postgres` below it, its messages in `postgres.log`. Made when missing. */
  dataDir: string;
  /** Receives one line per step worth telling a person. */
  onProgress: (line: string) => void;
  /** 100 unless given. */
  maxConnections?: number;
  /** What PostgreSQL may count on; what this process may use unless given. */
  machine?: Machine;
  /** Settings of PostgreSQL by name, over those that make it durable and fit the machine. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * Starts the PostgreSQL that comes with the packages, in `dataDir`, creating the cluster the first time; a server that
 * already runs there is used. As root it runs under an unprivileged account. It is brought back on the same URL when it
 * dies, and where the system can (flock) it shuts down when the last process that uses it dies. Throws SettingError with
 * PostgreSQL's own words when it cannot start; nothing is left running then.
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

/** What the system refuses of a file in the data folder, as one that another user has made, is for a person to mend. */
function inWords(error: unknown): unknown {
  const { path, message } = error as NodeJS.ErrnoException;
  if (path === undefined) return error;
  return new SettingError(
    `DATA_DIR cannot be used (${message}); its files must belong to the user who starts the server, and its disk must have room.`,
  );
}

/** Connections that three processes on one DATA_DIR may open, with those of the server itself. */
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

/** What a first start left that was killed on the way. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    const path = join(dirname(folder), name);
    if (path.startsWith(`${folder}.new-`)) await rm(path, { recursive: true, force: true });
  }
}

/** A server that runs keeps its log open and appends to it, so that the file is emptied and not moved; on a full disk what it held is lost. */
async function limitLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found || found.size <= LARGEST_LOG_BYTES) return;
  await copyFile(path, `${path}.old`).catch(() => undefined);
  await truncate(path);
}
