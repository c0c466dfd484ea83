import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 25;
const LONGEST_WAIT_MS = 300_000;
const EXCLUSIVE_OPEN = 0x20;

/**
 * Runs `work` under a machine-wide lock on the folder. The kernel releases the lock when its holder dies for any
 * reason. `folder` must exist. Throws after waiting for five minutes.
 */
export async function withExclusiveLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const release = await acquire(folder, Date.now() + LONGEST_WAIT_MS);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(folder: string, deadline: number): Promise<() => Promise<void>> {
  for (;;) {
    const release = process.platform === 'linux' ? await lockName(folder) : await lockFile(folder);
    if (release) return release;
    if (Date.now() > deadline) throw new Error(`Another process has locked ${folder} for too long`);
    await sleep(RETRY_MS);
  }
}

/** Linux: an abstract socket name belongs to one process and leaves no file behind. */
async function lockName(folder: string): Promise<(() => Promise<void>) | undefined> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const server = createServer((socket) => socket.destroy());
  if (!(await listens(server, `\0quarterdeck-lock-${dev}-${ino}`))) return undefined;
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen({ path }, () => resolve(true));
  });
}

/** BSD and macOS: open(2) takes the lock itself (O_EXLOCK). */
async function lockFile(folder: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | EXCLUSIVE_OPEN;
    const file: FileHandle = await open(join(folder, 'start.lock'), flags, 0o600);
    return () => file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
