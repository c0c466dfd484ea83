import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SettingError } from '../../env.js';
import { syncFolder } from '../objects/durable-files.js';
import { CHILD_ENVIRONMENT, type PostgresBinaries } from './postgres-binaries.js';
import { hasAccount, type ProcessUser } from './unprivileged-user.js';

const SETTINGS_FILE = 'launcher.json';

export const DATABASE_USER = 'quarterdeck';

/** A folder with a PostgreSQL cluster, and the launcher's data about it. */
export interface Cluster {
  folder: string;
  password: string;
  /** TCP port on 127.0.0.1, reused at every start if free. */
  port: number;
}

/**
 * How PostgreSQL gets its folder. Another account may have no access to a parent folder (root's home, say), but it can
 * always access its working directory, which has its own name on Linux.
 */
export function folderName(folder: string, user?: ProcessUser): string {
  return user && process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

/** Reads the cluster in `folder`; undefined when there is none. Throws when it belongs to another major version. */
export async function readCluster(folder: string, version: string): Promise<Cluster | undefined> {
  const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (made === undefined) {
    const names = await readdir(folder).catch(() => []);
    if (names.length > 0)
      throw new SettingError(`${folder} contains files but no PostgreSQL cluster; move them away and start again`);
    return undefined;
  }
  const major = version.split('.')[0];
  if (made.trim() !== major)
    throw new SettingError(
      `${folder} was created by PostgreSQL ${made.trim()}, but this is ${major}: ` +
        'back up with the version that created it, then restore into an empty DATA_DIR.',
    );
  const { password, port } = JSON.parse(await readFile(join(folder, SETTINGS_FILE), 'utf8')) as Cluster;
  return { folder, password, port };
}

/** Creates a cluster with a random password; `folder` appears atomically or not at all. */
export async function createCluster(folder: string, binaries: PostgresBinaries, user?: ProcessUser): Promise<Cluster> {
  const uid = process.getuid?.();
  if (!user && uid !== undefined && process.platform === 'linux' && !hasAccount(uid))
    throw new SettingError(
      `PostgreSQL's initdb needs an entry for user ${uid} in /etc/passwd; add one, or set DATABASE_URL.`,
    );
  const draft = await mkdtemp(`${folder}.new-`);
  const passwordPath = `${draft}.password`;
  const password = randomBytes(24).toString('base64url');
  try {
    await writeFile(passwordPath, `${password}\n`, { flag: 'wx', mode: 0o600 });
    if (user) {
      await chown(passwordPath, user.uid, user.gid);
      await chown(draft, user.uid, user.gid);
    }
    await initialize(draft, passwordPath, binaries, user);
    await writeSettings({ folder: draft, password, port: 0 }, user);
    await rename(draft, folder);
    await syncFolder(dirname(folder));
    return { folder, password, port: 0 };
  } finally {
    await rm(passwordPath, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** The password file is passed open, as standard input, because the account may not be able to reach its path. */
async function initialize(draft: string, passwordPath: string, binaries: PostgresBinaries, user?: ProcessUser) {
  const words = ['--pgdata', folderName(draft, user), '--username', DATABASE_USER, '--pwfile', '/dev/stdin'];
  words.push('--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale-provider', 'builtin', '--locale', 'C.UTF-8');
  const passwordFile = await open(passwordPath, 'r');
  try {
    const child = spawn(join(binaries.bin, 'initdb'), words, {
      cwd: draft,
      env: CHILD_ENVIRONMENT,
      stdio: [passwordFile.fd, 'pipe', 'pipe'],
      ...user,
    });
    const said: Buffer[] = [];
    child.stdout?.on('data', (part: Buffer) => said.push(part));
    child.stderr?.on('data', (part: Buffer) => said.push(part));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new SettingError(
        `PostgreSQL could not create its cluster in ${dirname(draft)}: ${trouble(Buffer.concat(said).toString())}`,
      );
  } finally {
    await passwordFile.close();
  }
}

/** The error lines of initdb's output, with advice for common problems. */
function trouble(report: string): string {
  const lines = report.trim().split('\n');
  const reasons =
    lines.filter((line) => /(?:error|FATAL|PANIC|hint|HINT):/.test(line)).join('; ') || (lines.at(-1) ?? '');
  return /No space left|quota|Check free disk space/i.test(report)
    ? `its disk is full; free some space and start again (${reasons}).`
    : reasons;
}

/** Records the port in use; only the launcher and PostgreSQL's account can read the file. */
export async function writeSettings(cluster: Cluster, user?: ProcessUser): Promise<void> {
  const path = join(cluster.folder, SETTINGS_FILE);
  const draft = await open(`${path}.new`, 'w', 0o600);
  try {
    await draft.writeFile(JSON.stringify({ password: cluster.password, port: cluster.port }));
    if (user) await draft.chown(user.uid, user.gid);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}
