import { readFileSync } from 'node:fs';
import { chown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingError } from '../../env.js';

/** A numeric account to start a child process as. */
export interface ProcessUser {
  uid: number;
  gid: number;
}

const PASSWORD_FILE = '/etc/passwd';
const PREFERRED_NAMES = ['postgres', 'nobody'];

/**
 * The account PostgreSQL runs as when this process is root, because PostgreSQL refuses to run as root:
 * `postgres` where that account exists, else `nobody`. Undefined when this process is not root.
 * Throws when root has neither account (initdb looks its own account up in the password file).
 */
export function unprivilegedUser(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  for (const name of PREFERRED_NAMES) {
    const user = accounts.get(name);
    if (user && user.uid !== 0) return user;
  }
  throw new SettingError(
    `PostgreSQL cannot run as root, and ${PASSWORD_FILE} has no account ${PREFERRED_NAMES.join(' or ')}. ` +
      'Start the server as a regular user, add such an account, or set DATABASE_URL.',
  );
}

/**
 * The account for a cluster that may already exist: its owner's when this process is root (a cluster copied by root is
 * given to `unprivilegedUser`), undefined otherwise. Throws when the folder belongs to another regular user.
 */
export async function ownerOfCluster(folder: string): Promise<ProcessUser | undefined> {
  const found = await lstat(folder).catch(() => undefined);
  const self = process.getuid?.();
  if (!found || self === undefined) return unprivilegedUser();
  if (self !== 0) {
    if (found.uid === self) return undefined;
    throw new SettingError(`${folder} belongs to user ${found.uid}; start the server as that user, or as root`);
  }
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid };
  const user = unprivilegedUser();
  if (user) await handOver(folder, user);
  return user;
}

async function handOver(folder: string, user: ProcessUser): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  await chown(folder, user.uid, user.gid);
}

/** Whether an account id has a name; initdb refuses to run without one. */
export function hasAccount(uid: number): boolean {
  for (const user of readAccounts().values()) if (user.uid === uid) return true;
  return false;
}

function readAccounts(): Map<string, ProcessUser> {
  const accounts = new Map<string, ProcessUser>();
  for (const line of readFileSync(PASSWORD_FILE, 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}
