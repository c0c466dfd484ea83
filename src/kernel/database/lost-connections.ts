import type pg from 'pg';

/**
 * Removes a connection that ends while in use from its pool. The ORM's transactions do not release a connection whose
 * `begin`, `commit` or `rollback` fails (kysely issue 1990): it would keep its place in the pool until the process
 * ends.
 */
export function dropLostConnections(pool: pg.Pool): void {
  const held = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!held.has(client)) return;
      const { release } = client;
      client.release = () => {};
      release();
    });
  });
}
