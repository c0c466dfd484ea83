import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { join } from 'node:path';
import { openLocally } from './receivers/open-locally.js';

/**
 * A connection to a database that, from the first statement with certain words on, answers nothing and does not hang
 * up.
 */
export interface StallingDatabase {
  url: string;
  readonly hasStalled: boolean;
  close(): Promise<void>;
}

export async function stallingDatabase(databaseUrl: string, words: string): Promise<StallingDatabase> {
  const sockets = new Set<Socket>();
  let hasStalled = false;
  const server = createServer((near) => {
    const far = connect(placeOf(databaseUrl));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    far.pipe(near);
    near.on('data', (chunk: Buffer) => {
      if (chunk.includes(words)) {
        far.unpipe(near);
        hasStalled = true;
      }
      far.write(chunk);
    });
  });
  const url = new URL(databaseUrl);
  url.host = new URL(await openLocally(server)).host;
  return {
    url: url.href,
    get hasStalled() {
      return hasStalled;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A host that is a folder stands for the socket in it. */
function placeOf(databaseUrl: string): NetConnectOpts {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port: Number(port) };
}
