import { readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Maximum length of a socket path in bytes: macOS allows 104 and Linux 108, including the terminating zero. */
const LONGEST_PATH = 103;

const SOCKET = '.s.PGSQL.';

/** Whether a server can listen in its folder: some file systems, such as VM shared folders, do not support sockets. */
export async function canListenIn(folder: string): Promise<boolean> {
  const path = join(folder, `${SOCKET}probe`);
  if (Buffer.byteLength(path) > LONGEST_PATH) return false;
  await rm(path, { force: true });
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}

/**
 * The URL host of a folder's server: its socket if it listens there, which makes statements a fifth faster than TCP, or
 * else the loopback address.
 */
export async function hostOf({ folder, port }: { folder: string; port: number }): Promise<string> {
  const path = join(folder, `${SOCKET}${port}`);
  if (Buffer.byteLength(path) > LONGEST_PATH) return '127.0.0.1';
  const isThere = await stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
  return isThere ? encodeURIComponent(folder) : '127.0.0.1';
}

/**
 * Removes the sockets of a stopped server: a process that has reused its id would keep a new server from taking them.
 */
export async function removeSockets(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.startsWith(SOCKET)) await rm(join(folder, name), { force: true });
}
