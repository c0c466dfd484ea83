import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEAST_SECRET_LENGTH, SettingError } from '../env.js';
import { makeFolder, writeFirst } from '../storage/objects/durable-files.js';

/**
 * A secret of the installation: the given one, else the one kept in `dataDir/<name>`, made at the first start (mode 0600).
 * Processes that start at once all get the same. Throws a {@link SettingError} for one that is empty or short, or out of reach.
 */
export async function keptSecret(dataDir: string, name: string, given: string | null): Promise<string> {
  if (given) return given;
  const path = join(dataDir, name);
  try {
    await makeFolder(dataDir);
    const kept = (await readIfThere(path)) ?? (await makeSecret(path));
    if (kept.trim().length >= LEAST_SECRET_LENGTH) return kept;
  } catch (error) {
    throw new SettingError(`The secret in ${path} cannot be read or made: ${(error as Error).message}`);
  }
  throw new SettingError(
    `The secret in ${path} is empty or has fewer than ${LEAST_SECRET_LENGTH} characters: put the file back from a backup, or delete it ` +
      'to have a new one made, after which everybody signs in again and webhooks and API tokens are made anew.',
  );
}

async function makeSecret(path: string): Promise<string> {
  await writeFirst(path, randomBytes(48).toString('base64url'));
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
