import { createReadStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, writeWhole } from '../objects/durable-files.js';
import type { ObjectStore } from '../objects/object-store.js';
import { type BackedUpFile, type BackedUpObject, type BackupManifest, writeManifest } from './backup-manifest.js';
import { dumpDatabase } from './database-dump.js';
import { readHashed, reasonOf, writeHashed } from './hashed-files.js';
import { lostObjects } from './named-objects.js';
import { dumpObjects } from './object-backup.js';
import type { Progress } from './progress.js';
import { TABLE_PACKINGS } from './table-packings.js';

const LARGEST_SETTING = 64 * 1024;
/** Marks the folder until the backup is complete. */
const UNFINISHED = 'UNFINISHED';
const LONGEST_CLEAN_UP_MS = 10_000;
const NOT_SETTINGS = /\.(?:log|old|lock|new)$/;

/** An installation: its database, its objects, and the folder with its secrets. */
export interface Installation {
  databaseUrl: string;
  objects: ObjectStore;
  dataDir: string;
}

/**
 * Backs up a running installation into a new or empty folder: a snapshot of the database, every object in it, and the
 * small files of the data folder (secrets, so keep the backup as private as the server). Objects that rows refer to but
 * the store no longer has are listed as `lost` in the manifest. Throws when the folder is not empty. A failure says
 * what it was doing and leaves nothing behind; if the process is killed, a file in the folder marks the backup as
 * incomplete.
 */
export async function writeBackup(
  installation: Installation,
  folder: string,
  now: Date,
  progress: Progress,
): Promise<BackupManifest> {
  const mark = join(folder, UNFINISHED);
  const made = await writable(folder, makeFolder(folder));
  await requireEmptyFolder(folder);
  // If two begin at once, only one gets the folder.
  const marking = writeFile(mark, 'This backup was not finished: delete it.\n', { mode: 0o600, flag: 'wx' });
  await writable(folder, marking);
  try {
    const manifest = await progress.within(fill(folder, installation, now, progress));
    await rm(mark);
    return manifest;
  } catch (error) {
    const left = made ? [made] : (await readdir(folder)).map((name) => join(folder, name));
    await Promise.race([
      Promise.all(left.map((path) => rm(path, { recursive: true, force: true }))),
      sleep(LONGEST_CLEAN_UP_MS, undefined, { ref: false }),
    ]);
    throw new Error(`The backup failed while ${progress}: ${reasonOf(error)}. Nothing of it was kept`, {
      cause: error,
    });
  }
}

/**
 * Reads every file of a backup and throws when one is missing or damaged. With `unpacks` it also checks the
 * decompressed rows, which a restore checks anyway.
 */
export async function checkBackup(
  { format, database, objects, settings }: BackupManifest,
  folder: string,
  progress: Progress,
  unpacks: boolean,
): Promise<void> {
  progress.begin('reading the backup');
  const packing = TABLE_PACKINGS[format];
  for (const { file, sha256 } of database.tables) {
    const needsContent = unpacks || packing.hashes === 'content';
    await drain(readHashed(join(folder, file), sha256, progress, needsContent ? packing : undefined));
  }
  for (const { file, sha256 } of [...objects, ...settings])
    await drain(readHashed(join(folder, file), sha256, progress));
}

/** Restores the small files; an existing file that differs is kept as `<name>.before-restore`. */
export async function restoreSettings(settings: BackedUpFile[], folder: string, dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  for (const { file } of settings) {
    const content = await readFile(join(folder, file));
    const target = join(dataDir, file.slice('settings/'.length));
    const present = await readFile(target).catch(() => undefined);
    if (present?.equals(content)) continue;
    if (present) await rename(target, `${target}.before-restore`);
    await writeWhole(target, content);
  }
}

async function writable<T>(folder: string, written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    throw new Error(`${folder} cannot be written to (${reasonOf(error)}); choose another folder for the backup`, {
      cause: error,
    });
  }
}

async function requireEmptyFolder(folder: string): Promise<void> {
  const found = await readdir(folder);
  if (found.includes(UNFINISHED))
    throw new Error(`${folder} contains an unfinished backup; delete it, or choose a new folder for the backup`);
  if (found.length > 0) throw new Error(`${folder} is not empty; choose a new folder for the backup`);
}

async function fill(
  folder: string,
  installation: Installation,
  now: Date,
  progress: Progress,
): Promise<BackupManifest> {
  const objects = new Map<string, BackedUpObject>();
  // Before and again after the database snapshot, so that no row of it lacks an object added or removed in the
  // meantime.
  await dumpObjects(installation.objects, folder, objects, progress);
  const { snapshot: database, named } = await dumpDatabase(installation.databaseUrl, folder, progress);
  await dumpObjects(installation.objects, folder, objects, progress);
  const rows = { named, tables: database.tables };
  const lost = await lostObjects(installation.databaseUrl, rows, objects, progress);
  const settings = await dumpSettings(installation.dataDir, folder, progress);
  const manifest: BackupManifest = {
    format: 2,
    createdAt: now.toISOString(),
    database,
    objects: [...objects.values()],
    lost,
    settings,
  };
  await writeManifest(folder, manifest);
  return manifest;
}

async function dumpSettings(dataDir: string, folder: string, progress: Progress): Promise<BackedUpFile[]> {
  const settings: BackedUpFile[] = [];
  for (const name of (await namesIn(dataDir)).sort()) {
    const path = join(dataDir, name);
    const found = await stat(path);
    if (!found.isFile() || found.size > LARGEST_SETTING || NOT_SETTINGS.test(name)) continue;
    const file = `settings/${name}`;
    const { sha256 } = await writeHashed(join(folder, file), () => createReadStream(path), progress);
    settings.push({ file, sha256 });
  }
  return settings;
}

/** May be missing when objects and secrets are stored elsewhere. */
async function namesIn(dataDir: string): Promise<string[]> {
  return readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}
