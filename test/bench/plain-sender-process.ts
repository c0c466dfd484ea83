/**
 * The process that measures the limit: given `{url, count, body, headers}`, it posts through a plain undici pool with
 * 64 connections and exits.
 */
import { Pool } from 'undici';

interface Order {
  url: string;
  count: number;
  body: string;
  headers: Record<string, string>;
}

const CONNECTIONS = 64;

process.once('message', async ({ url, count, body, headers }: Order) => {
  const target = new URL(url);
  const pool = new Pool(target.origin, { connections: CONNECTIONS, pipelining: 1 });
  let sent = 0;
  const lane = async (): Promise<void> => {
    while (sent++ < count) {
      const answer = await pool.request({ method: 'POST', path: target.pathname, headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  await pool.close();
  process.exit(0);
});
