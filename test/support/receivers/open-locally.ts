import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on a free port of this machine, and returns its origin, as of HTTP. */
export function openLocally(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
