import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEAST_SECRET_LENGTH, SettingError } from '../env.js';
import { makeFolder, writeFirst } from '../storage/objects/durable-files.js';

/**
 * A secret of the installation: the given one, or the one kept in `dataDir/<name>`, created on the first start (mode 0600). Processes that
 * start at the same time get the same one. Throws a {@link SettingError} if it is empty, too short or unreadable.
 */
export async function keptSecret(dataDir: string, name: string, given: string | null): Promise<string> {
  if (given) return given;
  const path = join(dataDir, name);
  try {
    await makeFolder(dataDir);
    const kept = (await readIfThere(path)) ?? (await makeSecret(path));
    if (kept.trim().length >= LEAST_SECRET_LENGTH) return kept;
  } catch (error) {
    throw new SettingError(`The secret in ${path} cannot be read or created: ${(error as Error).message}`);
  }
  throw new SettingError(
    `The secret in ${path} is empty or has fewer than ${LEAST_SECRET_LENGTH} characters. Restore the file from a backup, or delete it ` +
      'to generate a new one; everyone then has to sign in again, and webhooks and API tokens have to be created again.',
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
