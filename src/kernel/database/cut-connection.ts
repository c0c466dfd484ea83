import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** Ends a connection without waiting for the database, which may never answer; its statement rejects. */
export function cutConnection(client: ClientBase, reason?: Error): void {
  // The driver's types lack it.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.destroy(reason);
}
