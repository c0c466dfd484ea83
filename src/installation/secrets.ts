import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A secret of the installation: the given one, else the one kept in `dataDir/<name>`, made at the first start (mode 0600). */
export async function keptSecret(dataDir: string, name: string, given: string | null): Promise<string> {
  if (given) return given;
  const path = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      const secret = randomBytes(48).toString('base64url');
      await file.writeFile(secret);
      await file.sync();
      return secret;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFile(path, 'utf8');
  }
}
