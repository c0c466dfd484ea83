import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { dropLostConnections } from './lost-connections.js';
import { BoundedClient } from './reading-budget.js';

/**
 * A pool whose statements belong to the request that issued them. pg-pool calls back in the context of the request that
 * freed the connection, so a waiting statement would otherwise use that request's budget and trace.
 */
export function boundedPool(config: pg.PoolConfig, Client: typeof pg.Client = BoundedClient): pg.Pool {
  const pool = new pg.Pool({ ...config, Client } as pg.PoolConfig);
  dropLostConnections(pool);
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  pool.connect = ((done?: (...given: unknown[]) => unknown) =>
    done ? connect(AsyncResource.bind(done)) : connect()) as typeof pool.connect;
  return pool;
}
